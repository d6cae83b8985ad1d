//! What secrets look like.
//!
//! Tokens of known makers are recognised by their shape; anything else only where it is assigned to
//! a telling name and is random enough. Each must be varied enough to be a value and not a
//! placeholder.

use std::sync::LazyLock;

use regex::bytes::{Regex, RegexSet};

/// A secret found in a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Secret<'a> {
    /// What it is.
    pub(super) rule: &'static str,
    /// The secret itself.
    pub(super) text: &'a [u8],
}

/// Rules by name, the most telling first. Where there is a group, the group is the secret.
const RULES: &[(&str, &str)] = &[
    (
        "private-key",
        r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----",
    ),
    ("aws-access-key", r"\b(?:AKIA|ASIA)[A-Z2-7]{16}\b"),
    (
        "github-token",
        r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255})\b",
    ),
    (
        "gitlab-token",
        r"\bgl(?:pat|ptt|dt|rt|soat|cbt|ft|agent|imt)-[A-Za-z0-9_-]{20,}",
    ),
    (
        "slack-token",
        r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-[0-9]-[A-Za-z0-9-]{20,}",
    ),
    (
        "slack-webhook",
        r"https://hooks\.slack\.com/services/(T[A-Za-z0-9_]+/B[A-Za-z0-9_]+/[A-Za-z0-9_]{16,})",
    ),
    (
        "google-key",
        r"\bAIza[A-Za-z0-9_-]{35}|\bGOCSPX-[A-Za-z0-9_-]{28}",
    ),
    ("anthropic-key", r"\bsk-ant-[A-Za-z0-9_-]{20,}"),
    (
        "openai-key",
        r"\bsk-(?:(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{40,}\b)",
    ),
    ("npm-token", r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("pypi-token", r"\bpypi-[A-Za-z0-9_-]{50,}"),
    ("huggingface-token", r"\bhf_[A-Za-z0-9]{34,}\b"),
    ("stripe-key", r"\b[rs]k_live_[A-Za-z0-9]{20,}"),
    (
        "sendgrid-key",
        r"\bSG\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{30,}",
    ),
    (
        "jwt",
        r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{16,}",
    ),
    (
        "url-password",
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:@/'\x22]{1,80}:([^\s@/'\x22]{6,80})@[A-Za-z0-9]",
    ),
    (
        ASSIGNED,
        r#"(?i)(?:passw(?:or)?d|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key|credential)s?["']?[ \t]{0,8}(?:=>|:=|=|:)[ \t]{0,8}["'`]([^"'`\s]{12,200})["'`]"#,
    ),
    (
        ASSIGNED,
        r"^[ \t]*(?:export[ \t]+)?[A-Z0-9_]*(?:PASSWORD|SECRET|TOKEN|API_?KEY|ACCESS_KEY)[A-Z0-9_]*=([^\s'\x22$<{(]{12,200})[ \t]*$",
    ),
];

const ASSIGNED: &str = "assigned-secret";

static ALL: LazyLock<Vec<(&'static str, Regex)>> = LazyLock::new(|| {
    let compiled = |(name, text): &(&'static str, &str)| Some((*name, Regex::new(text).ok()?));
    RULES.iter().filter_map(compiled).collect()
});

static ANY: LazyLock<Option<RegexSet>> =
    LazyLock::new(|| RegexSet::new(RULES.iter().map(|(_, text)| text)).ok());

/// All secrets in `line`, each once and by its most telling rule.
pub(super) fn secrets_in(line: &[u8]) -> Vec<Secret<'_>> {
    let mut found: Vec<Secret<'_>> = Vec::new();
    if ANY.as_ref().is_some_and(|any| !any.is_match(line)) {
        return found;
    }
    for (rule, regex) in ALL.iter() {
        for captures in regex.captures_iter(line) {
            let Some(hit) = captures.get(1).or_else(|| captures.get(0)) else {
                continue;
            };
            let text = hit.as_bytes();
            let known = found
                .iter()
                .any(|s| contains(s.text, text) || contains(text, s.text));
            if !known && is_real(rule, text) {
                found.push(Secret { rule, text });
            }
        }
    }
    found
}

fn contains(outer: &[u8], inner: &[u8]) -> bool {
    outer.windows(inner.len().max(1)).any(|part| part == inner)
}

/// Whether `secret` can be a value, and not what stands for one in an example.
fn is_real(rule: &str, secret: &[u8]) -> bool {
    match rule {
        "private-key" => true,
        "aws-access-key" => !secret.ends_with(b"EXAMPLE") && entropy(secret) >= 2.5,
        ASSIGNED => {
            let classes = [
                secret.iter().any(u8::is_ascii_digit),
                secret.iter().any(u8::is_ascii_lowercase),
                secret.iter().any(u8::is_ascii_uppercase),
            ];
            let varied = classes.iter().filter(|there| **there).count() >= 2 && classes[0];
            varied && entropy(secret) >= 3.3 && !is_placeholder(secret) && !is_reference(secret)
        }
        "url-password" => {
            entropy(secret) >= 2.5 && !is_placeholder(secret) && !is_reference(secret)
        }
        _ => entropy(secret) >= 2.8 && !is_placeholder(secret),
    }
}

fn is_placeholder(secret: &[u8]) -> bool {
    const WORDS: [&str; 10] = [
        "example",
        "placeholder",
        "changeme",
        "change_me",
        "change-me",
        "your-",
        "your_",
        "xxxx",
        "dummy",
        "redacted",
    ];
    let text = String::from_utf8_lossy(secret).to_ascii_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}

/// Whether it is where a secret is to be found, not a secret: a variable, a path, a call.
fn is_reference(secret: &[u8]) -> bool {
    let marks: [&[u8]; 8] = [
        b"${",
        b"$(",
        b"{{",
        b"<",
        b"://",
        b"process.",
        b"env.",
        b"()",
    ];
    secret.starts_with(b"$")
        || secret.starts_with(b"/")
        || secret.starts_with(b"%")
        || marks.iter().any(|mark| contains(secret, mark))
}

/// Shannon's measure, in bits for each byte.
#[allow(clippy::cast_precision_loss)] // lengths of lines
fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0_usize; 256];
    for byte in bytes {
        counts[usize::from(*byte)] += 1;
    }
    let total = bytes.len() as f64;
    let shares = counts.iter().filter(|n| **n > 0).map(|n| *n as f64 / total);
    -shares.map(|share| share * share.log2()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random enough, and made here so that no scanner takes this file for a leak.
    fn noise(len: usize) -> String {
        let letters = b"aB3dE5fG7hJ9kLmN2pQrS4tUvW6xYz8";
        (0..len)
            .map(|n| char::from(letters[(n * 7 + n / 31) % letters.len()]))
            .collect()
    }

    fn rules(line: &str) -> Vec<&'static str> {
        secrets_in(line.as_bytes())
            .into_iter()
            .map(|s| s.rule)
            .collect()
    }

    #[test]
    fn every_rule_compiles() {
        assert_eq!(ALL.len(), RULES.len());
        assert!(ANY.is_some());
    }

    #[test]
    fn tokens_of_known_makers_are_found_by_name() {
        let (n20, n36, n60) = (noise(20), noise(36), noise(60));
        let upper: String = "QWERTYUIOPASDFGH".to_owned();
        for (line, rule) in [
            (
                format!("-----BEGIN RSA PRIVATE {}-----", "KEY"),
                "private-key",
            ),
            (format!("-----BEGIN {} KEY-----", "PRIVATE"), "private-key"),
            (format!("id = AKIA{upper}"), "aws-access-key"),
            (format!("x ghp_{n36} y"), "github-token"),
            (format!("github_pat_{n60}"), "github-token"),
            (format!("url: glpat-{n20}"), "gitlab-token"),
            (format!("xoxb-{n20}"), "slack-token"),
            (
                format!("https://hooks.slack.com/services/T1/B2/{n20}"),
                "slack-webhook",
            ),
            (format!("key=AIza{}", noise(35)), "google-key"),
            (format!("\"sk-ant-api03-{n20}\""), "anthropic-key"),
            (format!("sk-proj-{n36}"), "openai-key"),
            (format!("//registry/:_authToken=npm_{n36}"), "npm-token"),
            (format!("pypi-{n60}"), "pypi-token"),
            (format!("eyJ{n20}.eyJ{n20}.{n36}"), "jwt"),
            (format!("postgres://app:{n20}@db/app"), "url-password"),
            (format!("password: \"{n20}\""), "assigned-secret"),
            (format!("const apiKey = '{n36}';"), "assigned-secret"),
            (format!("export DB_PASSWORD={n20}"), "assigned-secret"),
        ] {
            assert_eq!(rules(&line), [rule], "{line}");
        }
    }

    #[test]
    fn examples_references_and_prose_are_left_alone() {
        for line in [
            "AKIAIOSFODNN7EXAMPLE",
            "password: \"changeme-please-123\"",
            "token: \"${{ secrets.GITHUB_TOKEN }}\"",
            "api_key = \"YOUR_API_KEY_GOES_HERE\"",
            "secret = os.environ['MY_SECRET_VALUE_1']",
            "let token = \"some plain words here\";",
            "password = \"correcthorsebattery\"",
            "TOKEN_URL=https://example.invalid/oauth2/v1/token",
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "https://user:$PASSWORD@host/x",
            "// the access key: see the handbook",
            "integrity sha512-9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c",
            "token_type: \"Bearer\"",
            "-----BEGIN PUBLIC KEY-----",
        ] {
            assert_eq!(rules(line), Vec::<&str>::new(), "{line}");
        }
    }
}
