//! Where a server is and what opens it.

use std::fmt;
use std::path::{Path, PathBuf};

use paddock_api::{SERVE_FILE, ServeRecord, TOKEN_FILE};

/// A server: its address and its token.
#[derive(Clone, PartialEq, Eq)]
pub struct Server {
    url: String,
    token: Option<String>,
}

/// What was offered does not lead to a server.
#[derive(Debug, thiserror::Error)]
pub enum BadServer {
    /// The address is not one that this client speaks to.
    #[error("`{url}` is not an address of a server: it must begin with http:// and name a host")]
    Url {
        /// What came.
        url: String,
    },
    /// No server has said in this data directory where it serves.
    #[error("no server serves from {}: start one with `paddock serve`", data.display())]
    NotServing {
        /// The data directory.
        data: PathBuf,
    },
    /// A file of the data directory cannot be read.
    #[error("{} cannot be read: {source}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl Server {
    /// The server at `url` that takes `token`.
    ///
    /// # Errors
    /// [`BadServer::Url`] when it is not `http://host…`.
    pub fn new(url: &str, token: Option<String>) -> Result<Self, BadServer> {
        let plain = url.trim_end_matches('/');
        let rest = plain.strip_prefix("http://").unwrap_or_default();
        let odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '?' | '#' | '@');
        if rest.is_empty() || rest.starts_with('/') || rest.contains(odd) {
            return Err(BadServer::Url {
                url: url.to_owned(),
            });
        }
        let token = token
            .map(|token| token.trim().to_owned())
            .filter(|token| !token.is_empty());
        Ok(Self {
            url: plain.to_owned(),
            token,
        })
    }

    /// The server that serves from the data directory `data`, as far as its files say.
    ///
    /// # Errors
    /// [`BadServer`]; [`BadServer::NotServing`] when none does.
    pub fn of_data_dir(data: &Path) -> Result<Self, BadServer> {
        let Some(record) = read(&data.join(SERVE_FILE))? else {
            return Err(BadServer::NotServing {
                data: data.to_owned(),
            });
        };
        let Ok(record) = serde_json::from_str::<ServeRecord>(&record) else {
            return Err(BadServer::NotServing {
                data: data.to_owned(),
            });
        };
        Self::new(&record.url, Self::token_of_data_dir(data)?)
    }

    /// The token in the data directory `data`, where there is one.
    ///
    /// # Errors
    /// [`BadServer::File`] when it is there and cannot be read.
    pub fn token_of_data_dir(data: &Path) -> Result<Option<String>, BadServer> {
        read(&data.join(TOKEN_FILE))
    }

    /// Its address, without a slash at the end.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }
}

/// The token is never shown.
impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

fn read(file: &Path) -> Result<Option<String>, BadServer> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(BadServer::File {
            file: file.to_owned(),
            source,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_are_none_are_refused() {
        for bad in [
            "",
            "localhost:1",
            "https://x",
            "http://",
            "http:///x",
            "http://u@x",
            "http://x?y",
            "http://a b",
        ] {
            assert!(Server::new(bad, None).is_err(), "{bad:?} was taken");
        }
        assert_eq!(
            Server::new("http://127.0.0.1:1/", None).unwrap().url(),
            "http://127.0.0.1:1"
        );
    }

    #[test]
    fn a_server_is_found_by_its_data_directory() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(
            Server::of_data_dir(dir.path()),
            Err(BadServer::NotServing { .. })
        ));
        let record = r#"{"url":"http://127.0.0.1:7","pid":1,"version":"0"}"#;
        std::fs::write(dir.path().join(SERVE_FILE), record).unwrap();
        std::fs::write(dir.path().join(TOKEN_FILE), "secret\n").unwrap();
        let server = Server::of_data_dir(dir.path()).unwrap();
        assert_eq!(
            (server.url(), server.token()),
            ("http://127.0.0.1:7", Some("secret"))
        );
        assert!(!format!("{server:?}").contains("secret"));
    }
}
