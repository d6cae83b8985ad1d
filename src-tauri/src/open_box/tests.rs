//! A server that answers one thing, and a desktop that writes down what it is asked to open.

use std::sync::Mutex;

use paddock_api::Link;
use paddock_client::Server;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;
use crate::desktop::{Notice, Tray};
use crate::words::Language;

/// Writes down what it opens; where `has_nothing`, nothing here opens anything.
#[derive(Default)]
struct Paper {
    opened: Mutex<Vec<(PathBuf, With)>>,
    has_nothing: bool,
}

impl Desktop for Paper {
    fn tray(&self, _: &Tray) {}
    fn badge(&self, _: usize) {}
    fn notify(&self, _: &Notice) {}
    fn open(&self, _: &Link) {}
    fn language(&self) -> Language {
        Language::En
    }
    fn watched(&self) -> Option<Link> {
        None
    }
    fn show(&self, folder: &Path, with: With) -> io::Result<()> {
        if self.has_nothing {
            return Err(io::Error::other("no editor"));
        }
        self.opened.lock().unwrap().push((folder.to_owned(), with));
        Ok(())
    }
}

/// A client of a server that says that the box lies at `folder`.
async fn told(folder: Option<&Path>) -> Client {
    let body = serde_json::json!({"items": [], "agent": false, "folder": folder}).to_string();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut asked = Vec::new();
            while !asked.ends_with(b"\r\n\r\n") {
                asked.push(stream.read_u8().await.unwrap());
            }
            assert!(String::from_utf8_lossy(&asked).contains("/tasks/t-1/terminals "));
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close";
            let answer = format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
            stream.write_all(answer.as_bytes()).await.unwrap();
        }
    });
    Client::new(&Server::new(&url, None).unwrap()).unwrap()
}

#[tokio::test]
async fn the_folder_that_the_server_names_is_opened_as_it_was_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let (client, paper) = (told(Some(dir.path())).await, Paper::default());
    for with in [With::Folder, With::Editor] {
        open_box(&client, &paper, "t-1", with).await.unwrap();
    }
    let opened = [With::Folder, With::Editor].map(|with| (dir.path().to_owned(), with));
    assert_eq!(*paper.opened.lock().unwrap(), opened);
}

#[tokio::test]
async fn a_box_without_a_folder_on_this_machine_is_not_opened() {
    let (client, paper) = (told(None).await, Paper::default());
    let refused = open_box(&client, &paper, "t-1", With::Folder).await;
    assert!(matches!(refused, Err(CannotOpen::NoFolder)), "{refused:?}");
    assert_eq!(*paper.opened.lock().unwrap(), []);
}

#[cfg(unix)]
#[tokio::test]
async fn only_a_folder_is_opened_and_no_link_that_an_agent_put_in_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    std::fs::write(at("file"), "").unwrap();
    std::os::unix::fs::symlink("/", at("link")).unwrap();
    for place in [at("file"), at("link"), at("none"), PathBuf::from(".")] {
        let (client, paper) = (told(Some(&place)).await, Paper::default());
        let refused = open_box(&client, &paper, "t-1", With::Editor).await;
        assert!(matches!(refused, Err(CannotOpen::Gone(_))), "{refused:?}");
        assert_eq!(*paper.opened.lock().unwrap(), []);
    }
}

#[tokio::test]
async fn what_is_no_task_is_not_even_asked_about() {
    let (client, paper) = (told(Some(Path::new("/"))).await, Paper::default());
    for hostile in ["", "../..", "t-1/../../x", "/etc", "t-1?x", "t 1"] {
        let refused = open_box(&client, &paper, hostile, With::Folder).await;
        assert!(matches!(refused, Err(CannotOpen::NoTask)), "{refused:?}");
    }
    assert_eq!(*paper.opened.lock().unwrap(), []);
}

#[tokio::test]
async fn where_nothing_opens_folders_the_page_hears_why() {
    let dir = tempfile::tempdir().unwrap();
    let client = told(Some(dir.path())).await;
    let paper = Paper {
        has_nothing: true,
        ..Paper::default()
    };
    let refused = open_box(&client, &paper, "t-1", With::Editor).await;
    assert!(refused.unwrap_err().to_string().ends_with(": no editor"));
}

#[test]
fn the_page_names_the_ways_as_the_user_interface_does() {
    let read = |text| serde_json::from_value::<With>(serde_json::Value::from(text)).ok();
    assert_eq!(read("folder"), Some(With::Folder));
    assert_eq!(read("editor"), Some(With::Editor));
    assert_eq!(read("sh"), None);
}
