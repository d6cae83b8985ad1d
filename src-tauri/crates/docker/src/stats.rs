//! What a container has used since it started, as its engine counts it.
//!
//! One look costs an engine several milliseconds of processor, a stream of looks that many every second:
//! so there is no stream here. Whoever wants rates takes the difference between two looks.

use bollard::models::{ContainerBlkioStats, ContainerStatsResponse};
use bollard::query_parameters::{InspectContainerOptions, StatsOptions};
use futures_util::StreamExt;

use crate::Engine;
use crate::error::{About, EngineError};

/// What a container has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Processor time since the start, in nanoseconds.
    pub cpu_ns: u64,
    /// Memory in use without page cache that can be dropped, in bytes.
    pub memory: u64,
    /// Processes and threads.
    pub pids: u64,
    /// Bytes received and sent; none without a network of its own.
    pub network: Option<(u64, u64)>,
    /// Bytes read from disks and written to them; none where the kernel does not count them.
    pub disk: Option<(u64, u64)>,
}

/// The first process of a container that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstProcess {
    /// The container's whole id.
    pub container: String,
    /// The process's id on the machine that the engine runs on, which may be a virtual one.
    pub pid: u32,
}

impl Engine {
    /// What a container uses; none when it does not run.
    ///
    /// # Errors
    /// [`EngineError`] when the engine cannot be asked.
    pub async fn usage(&self, container: &str) -> Result<Option<Usage>, EngineError> {
        let options = StatsOptions {
            stream: false,
            one_shot: true,
        };
        let mut samples = Box::pin(self.client.stats(container, Some(options)));
        let sample = samples.next().await.transpose();
        let sample = sample.map_err(|e| self.fault(About::Container(container), e));
        match sample {
            Ok(sample) => Ok(sample.as_ref().and_then(Usage::of)),
            Err(EngineError::NoSuchContainer { .. }) => Ok(None),
            Err(other) => Err(other),
        }
    }

    /// The first process of a container; none when it does not run.
    ///
    /// # Errors
    /// [`EngineError`] when the engine cannot be asked.
    pub async fn first_process(
        &self,
        container: &str,
    ) -> Result<Option<FirstProcess>, EngineError> {
        let seen = self
            .client
            .inspect_container(container, None::<InspectContainerOptions>);
        let seen = match seen
            .await
            .map_err(|e| self.fault(About::Container(container), e))
        {
            Ok(seen) => seen,
            Err(EngineError::NoSuchContainer { .. }) => return Ok(None),
            Err(other) => return Err(other),
        };
        let pid = seen.state.and_then(|state| state.pid);
        let pid = pid
            .and_then(|pid| u32::try_from(pid).ok())
            .filter(|pid| *pid > 0);
        Ok(pid
            .zip(seen.id)
            .map(|(pid, container)| FirstProcess { container, pid }))
    }

    /// Gives a container another memory limit, in bytes, at once and for its next starts.
    ///
    /// # Errors
    /// [`EngineError::NoSuchContainer`], [`EngineError::Failed`] when the kernel refuses.
    pub async fn limit_memory(&self, container: &str, bytes: u64) -> Result<(), EngineError> {
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        let update = bollard::models::ContainerUpdateBody {
            memory: Some(bytes),
            memory_swap: Some(bytes),
            ..Default::default()
        };
        let updated = self.client.update_container(container, update).await;
        updated.map_err(|e| self.fault(About::Container(container), e))
    }
}

impl Usage {
    /// A container that does not run has a sample too, without figures.
    fn of(sample: &ContainerStatsResponse) -> Option<Self> {
        let cpu = sample.cpu_stats.as_ref()?.cpu_usage.as_ref()?;
        let memory = sample.memory_stats.clone().unwrap_or_default();
        let usage = memory.usage?;
        let details = memory.stats.unwrap_or_default();
        let cache = details
            .get("total_inactive_file")
            .or_else(|| details.get("inactive_file"));
        let network = sample.networks.as_ref().map(|networks| {
            networks.values().fold((0, 0), |(rx, tx), network| {
                let more = |n: Option<u64>| n.unwrap_or(0);
                (rx + more(network.rx_bytes), tx + more(network.tx_bytes))
            })
        });
        Some(Self {
            cpu_ns: cpu.total_usage?,
            memory: usage.saturating_sub(cache.copied().unwrap_or(0)),
            pids: sample
                .pids_stats
                .as_ref()
                .and_then(|pids| pids.current)
                .unwrap_or(0),
            network,
            disk: sample.blkio_stats.as_ref().and_then(moved),
        })
    }
}

/// Bytes read and written. The kernel's list is empty where nobody counts.
fn moved(disk: &ContainerBlkioStats) -> Option<(u64, u64)> {
    let entries = disk.io_service_bytes_recursive.as_deref()?;
    let way = |way: &str| {
        let ours = entries.iter().filter(|entry| {
            entry
                .op
                .as_deref()
                .is_some_and(|op| op.eq_ignore_ascii_case(way))
        });
        ours.filter_map(|entry| entry.value).sum()
    };
    (!entries.is_empty()).then(|| (way("read"), way("write")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(json: &str) -> ContainerStatsResponse {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn the_page_cache_is_not_counted_as_memory_under_either_cgroup() {
        for cache in ["inactive_file", "total_inactive_file"] {
            let sample = sample(&format!(
                r#"{{"cpu_stats":{{"cpu_usage":{{"total_usage":7}}}},
                    "memory_stats":{{"usage":1000,"stats":{{"{cache}":300}}}}}}"#
            ));
            let usage = Usage::of(&sample).unwrap();
            assert_eq!((usage.cpu_ns, usage.memory), (7, 700));
        }
    }

    #[test]
    fn what_the_engine_does_not_count_is_absent() {
        let bare = sample(
            r#"{"cpu_stats":{"cpu_usage":{"total_usage":7}},"memory_stats":{"usage":1},
                "blkio_stats":{"io_service_bytes_recursive":[]}}"#,
        );
        let usage = Usage::of(&bare).unwrap();
        assert_eq!((usage.network, usage.disk), (None, None));
        let full = sample(
            r#"{"cpu_stats":{"cpu_usage":{"total_usage":7}},"memory_stats":{"usage":1},
                "networks":{"eth0":{"rx_bytes":5,"tx_bytes":6},"eth1":{"rx_bytes":1}},
                "blkio_stats":{"io_service_bytes_recursive":[
                    {"op":"read","value":1},{"op":"Write","value":2},{"op":"Total","value":3},{"op":"Read","value":4}]}}"#,
        );
        let usage = Usage::of(&full).unwrap();
        assert_eq!((usage.network, usage.disk), (Some((6, 6)), Some((5, 2))));
    }

    #[test]
    fn a_container_that_does_not_run_uses_nothing_that_could_be_told() {
        let over = r#"{"read":"0001-01-01T00:00:00Z","pids_stats":{},"cpu_stats":{"cpu_usage":{"total_usage":0}},"memory_stats":{}}"#;
        assert_eq!(Usage::of(&sample(over)), None);
        assert_eq!(Usage::of(&ContainerStatsResponse::default()), None);
    }
}
