//! An agent of the Agent Client Protocol that a configuration adds is a harness like any other; one that
//! is not whole is told before anything is served.

use std::fs;

use paddock_domain::{HarnessName, TurnOutcome};
use paddock_kit::{Ask, Repository, Serve, ServeOptions, programs};
use paddock_scripted_model::ScriptedModel;

/// The real opencode, under a name that Paddock does not know, with nothing but configuration.
fn entry(program: &str) -> String {
    let provider = r#"{"autoupdate":false,"model":"own/m","small_model":"own/m","provider":{"own":{"npm":"@ai-sdk/openai-compatible","name":"Own","options":{"baseURL":"{env:OWN_BASE_URL}","apiKey":"{env:OWN_API_KEY}"},"models":{"m":{"name":"m","limit":{"context":200000,"output":32000}}}}}}"#;
    format!(
        "[agent.gander]\nprogram = \"{program}\"\nargs = [\"acp\"]\nkeys = [\"OWN_API_KEY\"]\n\
         base_url = \"OWN_BASE_URL\"\nmodes = [\"build\", \"build\", \"build\", \"plan\"]\n\
         env = ['OPENCODE_CONFIG_CONTENT={provider}', 'OPENCODE_DISABLE_AUTOUPDATE=1', \
         'OPENCODE_DISABLE_MODELS_FETCH=1', 'OPENCODE_DISABLE_LSP_DOWNLOAD=1']\n"
    )
}

fn opencode() -> String {
    let below = "opencode/1.18.33/node_modules/opencode-linux-x64/bin/opencode";
    programs::toolbox().join(below).display().to_string()
}

#[tokio::test]
async fn real_opencode_under_another_name_works_by_configuration_alone() -> anyhow::Result<()> {
    let dir = tempfile::Builder::new().prefix("engines-").tempdir()?;
    let model = ScriptedModel::start("127.0.0.1:0".parse()?)?;
    let repository = Repository::sample(&dir.path().join("repository"))?;
    let data = dir.path().join("data");
    fs::create_dir_all(&data)?;
    fs::write(data.join("paddock.toml"), entry(&opencode()))?;
    let toolbox = dir.path().join("toolbox").display().to_string();
    let options = ServeOptions::default()
        .env("PADDOCK_TOOLBOX_DIR", toolbox)
        .env("OWN_API_KEY", "scripted")
        .env("OWN_BASE_URL", format!("{}/v1", model.url()));
    let serve = Serve::start(&data, options).await?;
    let name = HarnessName::parse("gander")?;
    let listed = serve.client().harnesses().await?;
    let gander = listed.iter().find(|view| view.name == name);
    let gander = gander.unwrap_or_else(|| panic!("it is not listed"));
    assert_eq!(gander.versions, ["0.0.0"]);
    assert!(gander.provider_set.contains(&"OWN_API_KEY".to_owned()));

    serve.install("gander").await?;
    let prompt = "Please add the file. [[fake:tool file=made.txt]]";
    let ask = Ask::harness("gander", prompt)
        .in_a("worktree")
        .on(&repository);
    let mut task = serve.task(&ask).await?;
    let outcome = task.until_turn_ends().await?;
    assert_eq!(outcome, TurnOutcome::Completed, "{:?}", task.seen());
    assert_eq!(repository.subjects("main..paddock-0")?, ["Add made.txt"]);
    Ok(())
}

#[tokio::test]
async fn an_added_agent_that_is_not_whole_is_told_by_name_and_field() -> anyhow::Result<()> {
    for (entry, words) in [
        ("[agent.gander]\nargs = [\"acp\"]\n", "`program` is missing"),
        ("[agent.claude]\nprogram = \"/opt/x\"\n", "choose another"),
        ("[agent.gander]\ncolour = \"blue\"\n", "agent.gander.colour"),
    ] {
        let dir = tempfile::Builder::new().prefix("engines-").tempdir()?;
        fs::write(dir.path().join("paddock.toml"), entry)?;
        let refused = Serve::launch(dir.path(), ServeOptions::default());
        let told = format!("{:#}", refused.err().unwrap_or_else(|| panic!("it serves")));
        assert!(told.contains(words), "{told}");
    }
    Ok(())
}
