//! What users choose: settings as one document, templates, and keys in the vault.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::Stdio;

use paddock_api::{
    ErrorCode, FillRequest, KeySource, SecretRequest, SettingView, SettingsRequest,
    TemplateRequest, VaultKind,
};
use paddock_client::{Client, ClientError};
use paddock_domain::HostName;
use paddock_kit::{Ask, ServeOptions};

use super::world::World;

fn refused(error: ClientError) -> paddock_api::ErrorDetail {
    match error {
        ClientError::Refused { detail, .. } => *detail,
        other => panic!("{other}"),
    }
}

async fn setting(client: &Client, key: &str) -> anyhow::Result<SettingView> {
    let view = client.settings().await?;
    let found = view.settings.into_iter().find(|setting| setting.key == key);
    found.ok_or_else(|| anyhow::anyhow!("there is no {key}"))
}

fn set(pairs: &[(&str, &str)]) -> SettingsRequest {
    SettingsRequest {
        set: pairs
            .iter()
            .map(|(key, text)| ((*key).to_owned(), (*text).to_owned()))
            .collect(),
        ..SettingsRequest::default()
    }
}

#[tokio::test]
async fn settings_are_checked_field_by_field_taken_up_at_once_and_kept() -> anyhow::Result<()> {
    let world = World::new().await?;
    let client = world.serve.client();
    let bad = set(&[
        ("limits.parallel_tasks", "0"),
        ("purge.window_s", "soon"),
        ("task.harness", "codex"),
        ("no.such", "1"),
    ]);
    let detail = refused(client.change_settings(&bad).await.unwrap_err());
    assert_eq!(detail.code, ErrorCode::Invalid);
    let fields: Vec<_> = detail.details["fields"]
        .as_object()
        .unwrap()
        .keys()
        .collect();
    assert_eq!(
        fields,
        ["limits.parallel_tasks", "no.such", "purge.window_s"]
    );
    assert_eq!(
        setting(client, "task.harness").await?.value.as_deref(),
        Some("claude"),
        "all or none"
    );

    let view = client
        .change_settings(&set(&[("limits.parallel_tasks", "3"), ("box.pids", "100")]))
        .await?;
    assert_eq!(client.hosts().await?[0].parallel_tasks, 3, "at once");
    let pids = setting(client, "box.pids").await?;
    assert!(!pids.live && pids.waits, "{pids:?}");
    let stale = SettingsRequest {
        revision: Some(view.revision - 1),
        ..set(&[("task.harness", "codex")])
    };
    assert_eq!(
        refused(client.change_settings(&stale).await.unwrap_err()).code,
        ErrorCode::Conflict
    );
    for secret in ["provider.claude.ANTHROPIC_API_KEY", "data_dir"] {
        assert_eq!(
            refused(
                client
                    .change_settings(&set(&[(secret, "x")]))
                    .await
                    .unwrap_err()
            )
            .code,
            ErrorCode::Invalid
        );
    }
    client.set_parallel_tasks(&HostName::local(), 5).await?;

    let world = world.restart()?;
    let client = world.serve.client();
    assert_eq!(
        client.hosts().await?[0].parallel_tasks,
        5,
        "a host's own limit outlasts a restart"
    );
    let pids = setting(client, "box.pids").await?;
    assert_eq!((pids.value.as_deref(), pids.waits), (Some("100"), false));
    let unset = SettingsRequest {
        unset: ["box.pids".to_owned()].into(),
        ..SettingsRequest::default()
    };
    client.change_settings(&unset).await?;
    assert_eq!(setting(client, "box.pids").await?.saved, None);

    let cli = world
        .serve
        .cli()?
        .args(["settings", "set", "task.harness=codex", "purge.window_s=x"])
        .arg("costs.prices=a=1/1/1,b=1/2")
        .output()?;
    assert_eq!(cli.status.code(), Some(2));
    let said = String::from_utf8(cli.stderr)?;
    assert!(said.contains("purge.window_s: give 0 to"), "{said}");
    let price = "costs.prices: \"b=1/2\" cannot be taken: give a list of at most 100 MODEL=";
    assert!(said.contains(price), "{said}");
    Ok(())
}

#[tokio::test]
async fn a_template_is_kept_filled_and_used() -> anyhow::Result<()> {
    let world = World::new().await?;
    let client = world.serve.client();
    let spec = Ask::scripted("say {{greeting}}, {{name}}\n# {{greeting}}")
        .on(&world.repository)
        .spec();
    let saved = client
        .save_template("greet", &TemplateRequest { spec })
        .await?;
    assert_eq!(saved.variables, ["greeting", "name"]);

    let world = world.restart()?;
    let client = world.serve.client();
    let left = FillRequest {
        values: BTreeMap::from([("name".to_owned(), "Ada".to_owned())]),
    };
    let detail = refused(client.fill_template("greet", &left).await.unwrap_err());
    assert!(
        detail.code == ErrorCode::Invalid && detail.message.contains("greeting"),
        "{}",
        detail.message
    );

    let used = world
        .serve
        .cli()?
        .args([
            "template",
            "use",
            "greet",
            "--var",
            "greeting=Hello {{name}}",
            "--var",
            "name=Ada",
        ])
        .output()?;
    assert!(
        used.status.success(),
        "{}",
        String::from_utf8_lossy(&used.stderr)
    );
    assert!(
        String::from_utf8(used.stdout)?.contains("Hello {{name}}, Ada"),
        "what fills a gap opens none"
    );
    client.remove_template("greet").await?;
    let gone = refused(client.template("greet").await.unwrap_err());
    assert_eq!(gone.code, ErrorCode::NotFound);
    world.hold_untouched();
    Ok(())
}

const STALE: &str = "planted-stale-key-41c7";
const FRESH: &str = "planted-fresh-key-90be";

#[tokio::test]
async fn a_key_in_the_vault_goes_before_the_environment_and_is_never_shown() -> anyhow::Result<()> {
    let options = ServeOptions::default()
        .env("PADDOCK_VAULT_KIND", "file")
        .env("PADDOCK_LOG", "trace")
        .env("ANTHROPIC_API_KEY", STALE)
        .env("ANTHROPIC_AUTH_TOKEN", STALE);
    let world = World::with(options).await?;
    let client = world.serve.client();
    let keys = |harnesses: Vec<paddock_api::HarnessView>| {
        let claude = harnesses
            .into_iter()
            .find(|one| one.name.as_str() == "claude")
            .unwrap();
        claude
            .keys
            .into_iter()
            .map(|key| (key.variable, key.source, key.used))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        keys(client.harnesses().await?),
        [
            ("ANTHROPIC_API_KEY".to_owned(), KeySource::Environment, true),
            (
                "ANTHROPIC_AUTH_TOKEN".to_owned(),
                KeySource::Environment,
                true
            )
        ]
    );

    let mut cli = world
        .serve
        .cli()?
        .args(["secret", "set", "ANTHROPIC_API_KEY"])
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    cli.stdin
        .take()
        .unwrap()
        .write_all(format!("{FRESH}\n").as_bytes())?;
    assert!(cli.wait()?.success());
    let list = client.secrets().await?;
    assert_eq!(list.vault.kind, Some(VaultKind::KeyFile));
    assert!(
        list.items[0]
            .used_by
            .iter()
            .any(|harness| harness.as_str() == "claude")
    );

    let world = world.restart()?;
    let client = world.serve.client();
    assert_eq!(
        keys(client.harnesses().await?),
        [
            ("ANTHROPIC_API_KEY".to_owned(), KeySource::Vault, true),
            (
                "ANTHROPIC_API_KEY".to_owned(),
                KeySource::Environment,
                false
            ),
            (
                "ANTHROPIC_AUTH_TOKEN".to_owned(),
                KeySource::Environment,
                false
            )
        ]
    );
    let checks = client.doctor().await?;
    let told = &checks
        .iter()
        .find(|check| check.name == "keys")
        .unwrap()
        .detail;
    assert!(
        told.contains("ANTHROPIC_API_KEY from the vault")
            && told.contains("ANTHROPIC_AUTH_TOKEN from the environment is not used"),
        "{told}"
    );

    for answer in [
        format!("{:?}", client.secrets().await?),
        format!("{:?}", client.settings().await?),
        world.serve.log()?,
    ] {
        assert!(!answer.contains(FRESH) && !answer.contains(STALE));
    }
    let file = std::fs::read(world.data().join("secrets/vault"))?;
    assert!(
        !file
            .windows(FRESH.len())
            .any(|bytes| bytes == FRESH.as_bytes())
    );
    client.forget_secret("ANTHROPIC_API_KEY").await?;
    assert_eq!(
        refused(client.forget_secret("ANTHROPIC_API_KEY").await.unwrap_err()).code,
        ErrorCode::NotFound
    );
    let bad = client
        .keep_secret(
            "no name",
            &SecretRequest {
                value: "x".to_owned(),
            },
        )
        .await;
    assert_eq!(refused(bad.unwrap_err()).code, ErrorCode::Invalid);
    Ok(())
}
