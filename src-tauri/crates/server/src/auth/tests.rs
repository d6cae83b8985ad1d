//! The authority held against right, wrong and stolen secrets.

use super::*;

const PEER: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

fn open() -> (tempfile::TempDir, Auth, String) {
    let data = tempfile::tempdir().unwrap();
    let auth = Auth::open(data.path()).unwrap();
    let token = std::fs::read_to_string(auth.token_file()).unwrap();
    (data, auth, token.trim().to_owned())
}

#[test]
fn the_token_is_made_once_and_for_its_owner_alone() {
    let (data, auth, token) = open();
    assert_eq!(token.len(), 64);
    assert_eq!(auth.judge(Shown::Bearer(&token), PEER), Judgement::Welcome);
    let again = Auth::open(data.path()).unwrap();
    assert_eq!(again.judge(Shown::Bearer(&token), PEER), Judgement::Welcome);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |auth: &Auth| {
            std::fs::metadata(auth.token_file())
                .unwrap()
                .permissions()
                .mode()
        };
        assert_eq!(mode(&auth) & 0o777, 0o600);
        std::fs::set_permissions(auth.token_file(), std::fs::Permissions::from_mode(0o644))
            .unwrap();
        assert_eq!(mode(&Auth::open(data.path()).unwrap()) & 0o777, 0o600);
    }
}

#[test]
fn wrong_empty_and_shortened_tokens_open_nothing() {
    let (_data, auth, token) = open();
    for wrong in ["", "x", &token[1..], &format!("{token}0")] {
        assert_eq!(auth.judge(Shown::Bearer(wrong), PEER), Judgement::Unknown);
        assert_eq!(auth.judge(Shown::Cookie(wrong), PEER), Judgement::Unknown);
    }
    assert_eq!(auth.judge(Shown::Cookie(&token), PEER), Judgement::Unknown);
}

#[test]
fn a_code_becomes_a_cookie_that_outlives_the_server_and_ends_by_signing_out() {
    let (data, auth, _) = open();
    let (code, _) = auth.make_code();
    let cookie = auth.exchange(&code, PEER).unwrap();
    assert_eq!(auth.exchange(&code, PEER), Err(Judgement::Unknown));
    let kept = std::fs::read_to_string(data.path().join("sessions.json")).unwrap();
    assert!(!kept.contains(&cookie));
    let later = Auth::open(data.path()).unwrap();
    assert_eq!(
        later.judge(Shown::Cookie(&cookie), PEER),
        Judgement::Welcome
    );
    later.sign_out(&cookie);
    assert_eq!(
        later.judge(Shown::Cookie(&cookie), PEER),
        Judgement::Unknown
    );
}

#[test]
fn guessing_is_slowed_down_and_the_right_token_still_passes() {
    let (_data, auth, token) = open();
    for _ in 0..Attempts::MAX {
        assert_eq!(auth.judge(Shown::Bearer("guess"), PEER), Judgement::Unknown);
    }
    assert!(matches!(
        auth.judge(Shown::Bearer("guess"), PEER),
        Judgement::Wait(_)
    ));
    assert_eq!(auth.judge(Shown::Bearer(&token), PEER), Judgement::Welcome);
    let (code, _) = auth.make_code();
    assert!(matches!(
        auth.exchange(&code, PEER),
        Err(Judgement::Wait(_))
    ));
}
