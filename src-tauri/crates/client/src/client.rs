//! The client: one connection pool, one server.

use std::time::Duration;

use bytes::Bytes;
use paddock_api::pings;
use reqwest::header::{
    ACCEPT, AUTHORIZATION, CONNECTION, CONTENT_TYPE, HeaderMap, HeaderValue, SEC_WEBSOCKET_KEY,
    SEC_WEBSOCKET_VERSION, UPGRADE,
};
use reqwest::{Method, Response, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{ClientError, Server};

/// A client of one server; cheap to clone.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    url: String,
}

impl Client {
    /// How long a connection may take to come about.
    pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
    /// How long a call may take in all; a push over a slow line is the longest.
    pub const CALL_TIMEOUT: Duration = Duration::from_secs(15 * 60);
    /// Longest answer that is taken, in bytes.
    pub const ANSWER_MAX: usize = 64 << 20;

    /// A client of `server`. Nothing is sent yet.
    ///
    /// # Errors
    /// [`ClientError::Unreadable`] when the token holds characters that no header takes.
    pub fn new(server: &Server) -> Result<Self, ClientError> {
        let mut headers = HeaderMap::new();
        if let Some(token) = server.token() {
            let mut bearer = HeaderValue::from_str(&format!("Bearer {token}")).map_err(|_| {
                ClientError::unreadable(server.url(), "the token is not one line of text")
            })?;
            bearer.set_sensitive(true);
            headers.insert(AUTHORIZATION, bearer);
        }
        let http = reqwest::Client::builder()
            .default_headers(headers)
            .connect_timeout(Self::CONNECT_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .tcp_nodelay(true)
            .build()
            .map_err(|error| ClientError::unreachable(server.url(), &error))?;
        Ok(Self {
            http,
            url: server.url().to_owned(),
        })
    }

    /// The server's address.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    pub(crate) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ClientError> {
        self.call(Method::GET, path, None::<&()>).await
    }

    pub(crate) async fn post<B: Serialize, T: DeserializeOwned>(
        &self,
        path: &str,
        body: &B,
    ) -> Result<T, ClientError> {
        self.call(Method::POST, path, Some(body)).await
    }

    /// A command without a body.
    pub(crate) async fn tell<T: DeserializeOwned>(&self, path: &str) -> Result<T, ClientError> {
        self.call(Method::POST, path, None::<&()>).await
    }

    pub(crate) async fn call<B: Serialize, T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&B>,
    ) -> Result<T, ClientError> {
        let answer = self.bytes(method, path, body).await?;
        serde_json::from_slice(&answer).map_err(|error| ClientError::unreadable(path, error))
    }

    pub(crate) async fn bytes<B: Serialize>(
        &self,
        method: Method,
        path: &str,
        body: Option<&B>,
    ) -> Result<Bytes, ClientError> {
        let request = async {
            let response = self.send(method, path, body, "application/json").await?;
            self.collect(response).await
        };
        tokio::time::timeout(Self::CALL_TIMEOUT, request)
            .await
            .unwrap_or_else(|_| {
                let cause = format!("no answer within {} s", Self::CALL_TIMEOUT.as_secs());
                Err(ClientError::Unreachable {
                    url: self.url.clone(),
                    cause,
                })
            })
    }

    /// Sends a file as it is, and reads the answer.
    pub(crate) async fn post_file<T: DeserializeOwned>(
        &self,
        path: &str,
        content: Bytes,
    ) -> Result<T, ClientError> {
        let request = self.http.post(format!("{}{path}", self.url));
        let request = request.header(CONTENT_TYPE, "application/octet-stream");
        let answer = self.reply_to(request.body(content)).await?;
        let answer = self.collect(answer).await?;
        serde_json::from_slice(&answer).map_err(|error| ClientError::unreadable(path, error))
    }

    /// Sends a request; the answer's status is a success and its body is still to be read.
    pub(crate) async fn send<B: Serialize>(
        &self,
        method: Method,
        path: &str,
        body: Option<&B>,
        accept: &'static str,
    ) -> Result<Response, ClientError> {
        let mut request = self.http.request(method, format!("{}{path}", self.url));
        request = request.header(ACCEPT, accept);
        if let Some(body) = body {
            let json = serde_json::to_vec(body).map_err(|e| ClientError::unreadable(path, e))?;
            request = request.header(CONTENT_TYPE, "application/json").body(json);
        }
        self.reply_to(request).await
    }

    /// Opens an event stream that pings every `ping_every`.
    pub(crate) async fn open_stream(
        &self,
        path: &str,
        ping_every: Duration,
    ) -> Result<Response, ClientError> {
        let mut request = self.http.get(format!("{}{path}", self.url));
        request = request.header(ACCEPT, "text/event-stream");
        if ping_every != pings::EVERY {
            request = request.header(pings::HEADER, ping_every.as_secs());
        }
        self.reply_to(request).await
    }

    async fn reply_to(&self, request: reqwest::RequestBuilder) -> Result<Response, ClientError> {
        let sent = request.send().await;
        let response = sent.map_err(|error| ClientError::unreachable(&self.url, &error))?;
        let status = response.status();
        if status.is_success() || status == StatusCode::SWITCHING_PROTOCOLS {
            return Ok(response);
        }
        // A refusal whose text broke off is told by its status.
        let body = self.collect(response).await.unwrap_or_default();
        Err(ClientError::refused(status.as_u16(), &body))
    }

    /// Asks for the connection itself, to speak another protocol on it.
    pub(crate) async fn upgrade(&self, path: &str, key: String) -> Result<Response, ClientError> {
        let request = self.http.get(format!("{}{path}", self.url));
        let request = request
            .header(CONNECTION, "Upgrade")
            .header(UPGRADE, "websocket")
            .header(SEC_WEBSOCKET_VERSION, "13")
            .header(SEC_WEBSOCKET_KEY, key);
        self.reply_to(request).await
    }

    async fn collect(&self, mut response: Response) -> Result<Bytes, ClientError> {
        let mut whole = bytes::BytesMut::new();
        loop {
            let chunk = response.chunk().await;
            let chunk = chunk.map_err(|error| ClientError::unreachable(&self.url, &error))?;
            let Some(chunk) = chunk else {
                return Ok(whole.freeze());
            };
            if whole.len() + chunk.len() > Self::ANSWER_MAX {
                let cause = format!("it is longer than {} bytes", Self::ANSWER_MAX);
                return Err(ClientError::unreadable(&self.url, cause));
            }
            whole.extend_from_slice(&chunk);
        }
    }
}
