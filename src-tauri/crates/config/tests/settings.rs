//! Settings loaded from real files, environments and flags.
// Tests: what cannot be is a failure, wherever it is met.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use paddock_config::{ConfigError, Origin, Saved, Settings, Sources, UserDirs};
use paddock_domain::{BoxKind, HarnessName};

/// A user with `paddock.toml` in the configuration directory.
struct User {
    home: tempfile::TempDir,
    sources: Sources,
}

impl User {
    fn with(toml: &str) -> Self {
        let home = tempfile::tempdir().unwrap();
        let dirs = UserDirs {
            home: home.path().to_owned(),
            config: home.path().join("config"),
            data: home.path().join("data"),
        };
        fs::create_dir(&dirs.config).unwrap();
        fs::write(dirs.config.join("paddock.toml"), toml).unwrap();
        let sources = Sources {
            dirs,
            here: PathBuf::from("/here"),
            file: None,
            env: BTreeMap::new(),
            flags: BTreeMap::new(),
        };
        Self { home, sources }
    }

    fn env(mut self, variable: &str, text: &str) -> Self {
        self.sources
            .env
            .insert(variable.to_owned(), text.to_owned());
        self
    }

    fn flag(mut self, key: &str, text: &str) -> Self {
        self.sources.flags.insert(key.to_owned(), text.to_owned());
        self
    }

    fn load(&self) -> Settings {
        Settings::load(&self.sources).unwrap()
    }

    /// The text of the refusal, with the home directory left out.
    fn refusal(&self) -> String {
        let text = Settings::load(&self.sources).unwrap_err().to_string();
        text.replace(&format!("{}/", self.home.path().display()), "")
    }
}

#[test]
fn with_nothing_chosen_everything_has_its_default() {
    let user = User::with("");
    let settings = user.load();
    assert_eq!(settings, Settings::defaults(&user.home.path().join("data")));
    assert_eq!(settings.listen.to_string(), "127.0.0.1:7230");
    assert_eq!(settings.toolbox_dir, user.home.path().join("data/toolbox"));
    assert!(
        settings
            .shown()
            .iter()
            .all(|shown| shown.origin == Origin::Default)
    );
}

#[test]
fn flags_win_over_the_environment_over_the_file_over_defaults() {
    let file = "listen = '127.0.0.1:1'\nlog = 'file'\n[limits]\nparallel_tasks = 1\n[git]\nremote = 'file'";
    let user = User::with(file)
        .env("PADDOCK_LISTEN", "127.0.0.1:2")
        .env("PADDOCK_LIMITS_PARALLEL_TASKS", "2")
        .env("PADDOCK_GIT_REMOTE", "environment")
        .flag("listen", "127.0.0.1:3")
        .flag("limits.parallel_tasks", "3");
    let settings = user.load();
    assert_eq!(settings.listen.port(), 3);
    assert_eq!(settings.limits.parallel_tasks, 3);
    assert_eq!(settings.git.remote, "environment");
    assert_eq!(settings.log, "file");
    assert_eq!(settings.place.pids, 4096);
    let shown = settings.shown();
    let origin = |key: &str| &shown.iter().find(|shown| shown.key == key).unwrap().origin;
    let path = user.sources.config_file().0;
    assert_eq!(origin("log"), &Origin::File { path, line: 2 });
    assert_eq!(
        origin("git.remote").to_string(),
        "environment variable `PADDOCK_GIT_REMOTE`"
    );
    assert!(matches!(origin("listen"), Origin::Flag { .. }));
    assert_eq!(origin("box.pids"), &Origin::Default);
}

#[test]
fn every_kind_of_value_is_read_from_a_file() {
    let settings = User::with(
        "data_dir = 'below'\n\
         toolbox_dir = '~/tools'\n\
         [engine]\nsocket = 'unix:///run/e.sock'\n\
         [box]\ndefault_kind = 'worktree'\nmemory_mib = 0x100\ncpus = 2\n\
         [purge]\nwindow_s = 0\n[stop]\ngrace_ms = 1_500\n\
         [scan]\nallow = ['a/*.png', 'b']",
    );
    let home = settings.home.path().to_owned();
    let settings = settings.load();
    assert_eq!(
        settings.data_dir,
        home.join("config/below"),
        "relative to the file"
    );
    assert_eq!(settings.toolbox_dir, home.join("tools"));
    assert_eq!(
        settings.engine.socket.as_deref(),
        Some("unix:///run/e.sock")
    );
    assert_eq!(settings.place.default_kind, Some(BoxKind::Worktree));
    assert_eq!(
        (settings.place.memory_mib, settings.place.cpus),
        (256, Some(2.0))
    );
    assert_eq!(settings.purge.window, Duration::ZERO);
    assert_eq!(settings.stop.grace, Duration::from_millis(1500));
    assert_eq!(settings.scan.allow, ["a/*.png", "b"]);
}

#[test]
fn a_data_directory_given_as_a_flag_is_relative_to_here_and_takes_the_toolbox_along() {
    let settings = User::with("")
        .flag("data_dir", "d")
        .env("PADDOCK_SCAN_ALLOW", "x, y")
        .load();
    assert_eq!(settings.data_dir, PathBuf::from("/here/d"));
    assert_eq!(settings.toolbox_dir, PathBuf::from("/here/d/toolbox"));
    assert_eq!(settings.scan.allow, ["x", "y"]);
}

#[test]
fn a_fault_in_the_file_is_told_with_file_line_key_and_what_is_allowed() {
    let check = |toml: &str, expected: &str| assert_eq!(User::with(toml).refusal(), expected);
    check(
        "# mine\n[limits]\nparallel_tasks = 0",
        "config/paddock.toml:3: `limits.parallel_tasks` cannot be 0: give 1 to 256",
    );
    check(
        "\n\nlimits.paralel_tasks = 3",
        "config/paddock.toml:3: there is no setting `limits.paralel_tasks`: did you mean \
         `limits.parallel_tasks`?; `paddock config` lists them all",
    );
    check(
        "[limts]\nparallel_tasks = 3",
        "config/paddock.toml:2: there is no setting `limts.parallel_tasks`: did you mean \
         `limits.parallel_tasks`?; `paddock config` lists them all",
    );
    check(
        "colour = 'red'",
        "config/paddock.toml:1: there is no setting `colour`; `paddock config` lists them all",
    );
    check(
        "[box]\ndefault_kind = 'vm'",
        "config/paddock.toml:2: `box.default_kind` cannot be \"vm\": give container or worktree",
    );
    check(
        "[listen]\nport = 3",
        "config/paddock.toml:1: `listen` cannot be a table: give an IP address and a port, such as \
         127.0.0.1:7230; port 0 takes a free one",
    );
    check(
        "[box]\nmemory_mib = '64'",
        "config/paddock.toml:2: `box.memory_mib` cannot be \"64\": give 64 to 4194304 (MiB)",
    );
    check(
        "listen = 'localhost:80'",
        "config/paddock.toml:1: `listen` cannot be \"localhost:80\": give an IP address and a port, \
         such as 127.0.0.1:7230; port 0 takes a free one",
    );
    assert!(
        User::with("a = 1\nb = = 2")
            .refusal()
            .starts_with("config/paddock.toml:2: this is not TOML")
    );
    assert!(
        User::with("log = 'a'\nlog = 'b'")
            .refusal()
            .starts_with("config/paddock.toml:2: this is not TOML")
    );
}

#[test]
fn a_fault_in_the_environment_or_a_flag_names_it() {
    let refusal = User::with("").env("PADDOCK_BOX_CPUS", "many").refusal();
    assert_eq!(
        refusal,
        "environment variable `PADDOCK_BOX_CPUS`: `box.cpus` cannot be \"many\": give 0.01 to 1024"
    );
    let refusal = User::with("").flag("listn", "x").refusal();
    assert!(refusal.contains("flag for `listn`") && refusal.contains("did you mean `listen`?"));
    let refusal = User::with("").env("PADDOCK_LISTN", "x").refusal();
    assert!(
        refusal.contains("did you mean `PADDOCK_LISTEN`?"),
        "{refusal}"
    );
}

#[test]
fn what_others_put_into_the_environment_is_left_alone() {
    let user = User::with("")
        .env("PADDOCK_URL", "x")
        .env("PADDOCK_TASK", "y")
        .env("HOME", "/z");
    assert_eq!(user.load(), Settings::defaults(&user.sources.dirs.data));
}

#[test]
fn keys_of_providers_are_kept_by_harness_and_never_shown() {
    let user = User::with(
        "[provider.claude]\nANTHROPIC_API_KEY = 'planted-1'\nANTHROPIC_BASE_URL = 'planted-2'",
    )
    .env("PADDOCK_PROVIDER_CODEX_OPENAI_API_KEY", "planted-3")
    .env("PADDOCK_PROVIDER_CLAUDE_ANTHROPIC_API_KEY", "planted-4");
    let settings = user.load();
    let variables = |harness: &str| -> Vec<(String, String)> {
        let harness = HarnessName::parse(harness).unwrap();
        let all = settings.provider.variables(&harness);
        all.map(|(name, value)| (name.to_owned(), value.expose().to_owned()))
            .collect()
    };
    let claude = [
        ("ANTHROPIC_API_KEY", "planted-4"),
        ("ANTHROPIC_BASE_URL", "planted-2"),
    ];
    assert_eq!(
        variables("claude"),
        claude.map(|(a, b)| (a.to_owned(), b.to_owned()))
    );
    assert_eq!(variables("codex").len(), 1);
    assert!(variables("gemini").is_empty());
    let told = format!("{settings:?} {:?} {:?}", settings.shown(), user.sources);
    assert!(!told.contains("planted"), "{told}");
    assert!(told.contains("provider.codex.OPENAI_API_KEY"), "{told}");
}

#[test]
fn a_faulty_key_of_a_provider_is_told_without_it() {
    for toml in [
        "[provider.claude]\nANTHROPIC_API_KEY = ['planted']",
        "[provider.claude]\nANTHROPIC_API_KEY = \"planted\\n\"",
        "[provider.claude]\nanthropic_api_key = 'planted'",
        "[provider]\nANTHROPIC_API_KEY = 'planted'",
        "[provider.claude]\nANTHROPIC_API_KEY = 'planted",
    ] {
        let user = User::with(toml);
        let error = Settings::load(&user.sources).unwrap_err();
        let told = format!("{error} {error:?}");
        assert!(
            !told.contains("planted") && told.contains("paddock.toml"),
            "{told}"
        );
    }
    let told = User::with("")
        .env("PADDOCK_PROVIDER_CLAUDE", "planted")
        .refusal();
    assert!(
        told.contains("provider.<harness>.<VARIABLE>") && !told.contains("planted"),
        "{told}"
    );
}

#[test]
fn a_file_that_was_named_has_to_be_there_and_the_usual_one_has_not() {
    let mut user = User::with("log = 'usual'");
    fs::remove_file(user.sources.dirs.config.join("paddock.toml")).unwrap();
    assert_eq!(user.load().log, "info");
    let named = user.home.path().join("named.toml");
    user.sources.file = Some(named.clone());
    assert!(matches!(
        Settings::load(&user.sources),
        Err(ConfigError::Read { .. })
    ));
    fs::write(&named, "log = 'named'").unwrap();
    assert_eq!(user.load().log, "named");
    user.sources.file = None;
    let user = user.env("PADDOCK_CONFIG", named.to_str().unwrap());
    assert_eq!(user.load().log, "named");
}

#[test]
fn a_file_that_grew_out_of_hand_is_refused() {
    let refusal = User::with(&"# filler\n".repeat(200_000)).refusal();
    assert!(refusal.contains("more than 1048576 bytes"), "{refusal}");
}

#[test]
fn every_setting_is_documented_with_its_variable() {
    let documented: Vec<_> = Settings::documented().collect();
    let shown = User::with("").load().shown();
    for setting in &shown {
        assert!(
            documented.iter().any(|known| known.key == setting.key),
            "{}",
            setting.key
        );
    }
    assert_eq!(
        documented.len(),
        shown.len() + 1,
        "and the keys of providers"
    );
    assert!(
        documented
            .iter()
            .all(|known| !known.about.is_empty() && !known.allowed.is_empty())
    );
    let tasks = documented
        .iter()
        .find(|known| known.key == "limits.parallel_tasks")
        .unwrap();
    assert_eq!(
        (tasks.variable.as_str(), tasks.default),
        ("PADDOCK_LIMITS_PARALLEL_TASKS", "8")
    );
}

#[test]
fn an_agent_of_ones_own_is_kept_by_its_name_and_a_field_that_is_none_is_told() {
    let user = User::with(
        "[agent.goose]\nprogram = '/opt/goose'\nargs = ['acp', '--quiet']\nkeys = ['GOOSE_KEY']",
    );
    let settings = user.load();
    let (name, goose) = settings.agents.iter().next().unwrap();
    assert_eq!(name.as_str(), "goose");
    assert_eq!(goose.program.as_deref(), Some("/opt/goose"));
    assert_eq!(goose.args, ["acp", "--quiet"]);
    for (toml, words) in [
        ("[agent.goose]\ncolour = 'blue'", "agent.<name>.<program|"),
        ("[agent.goose]\nargs = 'acp'", "a list of texts"),
        ("[agent.'Not One']\nprogram = 'x'", "agent.<name>"),
    ] {
        let user = User::with(toml);
        let told = Settings::load(&user.sources).unwrap_err().to_string();
        assert!(told.contains(words), "{toml}: {told}");
    }
}

#[test]
fn a_price_that_is_none_is_refused_where_it_is_given_and_named() {
    let allowed = "give a list of at most 100 MODEL=INPUT/CACHED/OUTPUT in dollars for a million \
                   tokens; in the environment with commas";
    assert_eq!(
        User::with("[costs]\nprices = ['a=1/1/1', 'b=1/2']").refusal(),
        format!("config/paddock.toml:2: `costs.prices` cannot be \"b=1/2\": {allowed}"),
    );
    let settings = User::with("").load();
    let refusal = |text: String| {
        let values = [("costs.prices".to_owned(), text)].into();
        let saved = Saved {
            values,
            ..Saved::default()
        };
        let refused = settings.with_saved(&saved).unwrap_err();
        refused["costs.prices"].clone()
    };
    assert_eq!(
        refusal("a=1/1/1,b=1/2".to_owned()),
        format!("\"b=1/2\" cannot be taken: {allowed}"),
    );
    assert_eq!(refusal(vec!["a=1/1/1"; 101].join(",")), allowed);
}

#[test]
fn prices_are_shown_as_they_can_be_given() {
    let settings = User::with("costs.prices = ['My/Model=1.5/0.10/2']").load();
    let shown = settings.shown().into_iter();
    let shown = shown.filter(|one| one.key == "costs.prices");
    let values: Vec<Option<String>> = shown.map(|one| one.value).collect();
    assert_eq!(values, [Some(r#"["My/Model=1.5/0.1/2"]"#.to_owned())]);
}
