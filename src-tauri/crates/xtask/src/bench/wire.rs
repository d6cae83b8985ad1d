//! Just enough HTTP to ask a server on loopback and read its event streams, without a client's own time.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::served::Served;

const BASE: &str = "/api/paddock/v1";
/// Longest silence of a stream.
const SILENCE_MAX: Duration = Duration::from_secs(120);
/// Longest time until a stream has told what is waited for; it pings for as long as nothing happens.
const STREAM_MAX: Duration = Duration::from_secs(300);

/// Sends a request and gives a reader of the answer's body.
fn ask(
    served: &Served,
    method: &str,
    path: &str,
    body: &str,
) -> anyhow::Result<BufReader<TcpStream>> {
    let host = served
        .url
        .strip_prefix("http://")
        .context("not plain HTTP")?;
    let mut stream = TcpStream::connect(host)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(SILENCE_MAX))?;
    // HTTP/1.0: the answer comes as it is, without chunks between the lines.
    write!(
        stream,
        "{method} {BASE}{path} HTTP/1.0\r\nHost: {host}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        served.token,
        body.len()
    )?;
    let mut reader = BufReader::with_capacity(1 << 20, stream);
    let mut status = String::new();
    reader.read_line(&mut status)?;
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header)? <= 2 {
            break;
        }
    }
    if !status.contains(" 20") {
        let mut said = String::new();
        reader.read_to_string(&mut said)?;
        anyhow::bail!("{method} {path}: {} {said}", status.trim());
    }
    Ok(reader)
}

/// Gets `path`.
pub(crate) fn get(served: &Served, path: &str) -> anyhow::Result<Value> {
    let mut said = String::new();
    ask(served, "GET", path, "")?.read_to_string(&mut said)?;
    Ok(serde_json::from_str(&said)?)
}

/// Posts `body` and gives the answer.
pub(crate) fn post(served: &Served, path: &str, body: &Value) -> anyhow::Result<Value> {
    let mut said = String::new();
    ask(served, "POST", path, &body.to_string())?.read_to_string(&mut said)?;
    Ok(serde_json::from_str(&said)?)
}

/// Hands each line of data of an event stream to `each`, until it says that this is enough.
pub(crate) fn stream(
    served: &Served,
    path: &str,
    mut each: impl FnMut(&str) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let mut reader = ask(served, "GET", path, "")?;
    let (mut line, began) = (String::new(), Instant::now());
    loop {
        line.clear();
        ensure!(
            began.elapsed() < STREAM_MAX,
            "{path} does not tell what is waited for"
        );
        ensure!(reader.read_line(&mut line)? > 0, "the stream {path} ended");
        if let Some(data) = line
            .strip_prefix("data: ")
            .or_else(|| line.strip_prefix("data:"))
            && each(data.trim_end())?
        {
            return Ok(());
        }
    }
}

/// The same for one task's events, over every connection that the server ends: it drops a reader that
/// falls behind, and one that comes back goes on where it was.
pub(crate) fn events(
    served: &Served,
    task: &str,
    each: impl FnMut(&str) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    events_after(served, task, 0, each)
}

/// The same from the event behind `seen` on.
pub(crate) fn events_after(
    served: &Served,
    task: &str,
    mut seen: u64,
    mut each: impl FnMut(&str) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    loop {
        let from = seen;
        let path = format!("/tasks/{task}/events?since_seq={from}");
        let read = stream(served, &path, |data| {
            seen = seq(data).unwrap_or(seen);
            each(data)
        });
        match read {
            Err(_) if seen > from => {}
            ended => return ended,
        }
    }
}

/// The sequence number of an event.
pub(crate) fn seq(data: &str) -> Option<u64> {
    let (_, rest) = data.split_once("\"seq\":")?;
    let digits = rest.find(|c: char| !c.is_ascii_digit())?;
    rest.get(..digits)?.parse().ok()
}

/// Creates a task and gives its id.
pub(crate) fn create(served: &Served, body: &Value) -> anyhow::Result<String> {
    let task = post(served, "/tasks", body)?;
    Ok(task["task_id"].as_str().context("no task id")?.to_owned())
}

/// Follows a task until its first event of this type, and gives that event.
pub(crate) fn until(served: &Served, task: &str, kind: &str) -> anyhow::Result<Value> {
    let mut found = Value::Null;
    stream(served, &format!("/tasks/{task}/events"), |data| {
        let event: Value = serde_json::from_str(data)?;
        ensure!(event["to"] != "failed", "the task failed: {data}");
        let enough = event["type"] == kind;
        if enough {
            found = event;
        }
        Ok(enough)
    })?;
    Ok(found)
}

/// Follows a task until it waits for its user: its turn is over and its commits are out.
pub(crate) fn until_rest(served: &Served, task: &str) -> anyhow::Result<()> {
    stream(served, &format!("/tasks/{task}/events"), |data| {
        Ok(data.contains("\"to\":\"waiting\""))
    })
}

/// Removes a task's box and waits until it is gone.
pub(crate) fn purge(served: &Served, task: &str) -> anyhow::Result<()> {
    post(
        served,
        &format!("/tasks/{task}/purge"),
        &serde_json::json!({ "force": true, "now": true }),
    )?;
    stream(served, &format!("/tasks/{task}/events"), |data| {
        Ok(data.contains("\"to\":\"purged\""))
    })
}

/// Now, in milliseconds since 1970.
pub(crate) fn now_ms() -> f64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs_f64()
        * 1000.0
}

/// The time of day of an event, in milliseconds since midnight, UTC.
pub(crate) fn time_of_day(event: &Value) -> anyhow::Result<f64> {
    let text = event["ts"]
        .as_str()
        .and_then(|ts| ts.get(11..23))
        .context("an event without a time")?;
    let mut parts = text.split(':').map(str::parse::<f64>);
    let mut next = || parts.next().context("not a time")?.context("not a time");
    Ok((next()? * 3600.0 + next()? * 60.0 + next()?) * 1000.0)
}

/// Milliseconds from `began` (since 1970) to the event.
pub(crate) fn since(began: f64, event: &Value) -> anyhow::Result<f64> {
    const DAY: f64 = 86_400_000.0;
    Ok((time_of_day(event)? - began % DAY).rem_euclid(DAY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_number_is_read() {
        assert_eq!(seq(r#"{"ts":"x","seq":417,"task_id":"t"}"#), Some(417));
        assert_eq!(seq("{}"), None);
    }

    #[test]
    fn the_time_of_an_event_is_read_over_midnight_too() {
        let event = serde_json::json!({ "ts": "1970-01-02T00:00:00.250Z" });
        assert!((since(86_399_750.0, &event).unwrap() - 500.0).abs() < 0.01);
    }
}
