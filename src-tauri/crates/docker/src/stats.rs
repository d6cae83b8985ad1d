//! What a container uses, as a stream of samples.

use bollard::models::{ContainerBlkioStats, ContainerStatsResponse};
use bollard::query_parameters::StatsOptions;
use futures_util::{Stream, StreamExt};

use crate::Engine;
use crate::error::{About, EngineError};

/// One sample of what a container uses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Processors in use since the sample before: 1.0 is one whole processor.
    pub cpus: f64,
    /// Memory in use without the page cache, in bytes.
    pub memory: u64,
    /// Most memory, in bytes.
    pub memory_limit: u64,
    /// Processes and threads.
    pub pids: u64,
    /// Bytes received from the network since the start.
    pub network_in: u64,
    /// Bytes sent to the network since the start.
    pub network_out: u64,
    /// Bytes read from disks since the start; 0 where the kernel does not count them.
    pub disk_read: u64,
    /// Bytes written to disks since the start; 0 where the kernel does not count them.
    pub disk_written: u64,
}

impl Engine {
    /// Samples a container about once a second for as long as it runs.
    pub fn statistics(
        &self,
        container: &str,
    ) -> impl Stream<Item = Result<Statistics, EngineError>> + Send + Unpin + 'static {
        let options = StatsOptions {
            stream: true,
            one_shot: false,
        };
        let (engine, name) = (self.clone(), container.to_owned());
        let samples = self.client.stats(container, Some(options));
        Box::pin(samples.map(move |sample| {
            let sample = sample.map_err(|e| engine.fault(About::Container(&name), e));
            sample.map(|sample| Statistics::of(&sample))
        }))
    }
}

impl Statistics {
    fn of(sample: &ContainerStatsResponse) -> Self {
        let memory = sample.memory_stats.clone().unwrap_or_default();
        let networks = sample
            .networks
            .iter()
            .flat_map(|networks| networks.values());
        let (network_in, network_out) = networks.fold((0, 0), |(rx, tx), network| {
            let more = |n: Option<u64>| n.unwrap_or(0);
            (rx + more(network.rx_bytes), tx + more(network.tx_bytes))
        });
        let disk = sample.blkio_stats.as_ref();
        let details = memory.stats.unwrap_or_default();
        let cache = details
            .get("total_inactive_file")
            .or_else(|| details.get("inactive_file"));
        Self {
            cpus: cpus(sample),
            memory: memory
                .usage
                .unwrap_or(0)
                .saturating_sub(cache.copied().unwrap_or(0)),
            memory_limit: memory.limit.unwrap_or(0),
            pids: sample
                .pids_stats
                .as_ref()
                .and_then(|pids| pids.current)
                .unwrap_or(0),
            network_in,
            network_out,
            disk_read: disk.map_or(0, |disk| moved(disk, "read")),
            disk_written: disk.map_or(0, |disk| moved(disk, "write")),
        }
    }
}

/// The share of the machine's processor time, times its processors.
#[expect(clippy::cast_precision_loss, reason = "a share needs no 53 bits")]
fn cpus(sample: &ContainerStatsResponse) -> f64 {
    let figures = |stats: Option<&bollard::models::ContainerCpuStats>| {
        let stats = stats?;
        let used = stats.cpu_usage.as_ref()?.total_usage?;
        Some((
            used,
            stats.system_cpu_usage?,
            stats.online_cpus.unwrap_or(1),
        ))
    };
    let (now, before) = (sample.cpu_stats.as_ref(), sample.precpu_stats.as_ref());
    let (Some((used, all, online)), Some((used_before, all_before, _))) =
        (figures(now), figures(before))
    else {
        return 0.0;
    };
    let (used, all) = (
        used.saturating_sub(used_before),
        all.saturating_sub(all_before),
    );
    if all == 0 {
        return 0.0;
    }
    used as f64 / all as f64 * f64::from(online)
}

fn moved(disk: &ContainerBlkioStats, way: &str) -> u64 {
    let entries = disk.io_service_bytes_recursive.iter().flatten();
    let way = |op: &Option<String>| op.as_deref().is_some_and(|op| op.eq_ignore_ascii_case(way));
    entries
        .filter(|entry| way(&entry.op))
        .filter_map(|entry| entry.value)
        .sum()
}

#[cfg(test)]
mod tests {
    use bollard::models::{ContainerCpuStats, ContainerCpuUsage, ContainerMemoryStats};

    use super::*;

    fn cpu(used: u64, all: u64) -> Option<ContainerCpuStats> {
        Some(ContainerCpuStats {
            cpu_usage: Some(ContainerCpuUsage {
                total_usage: Some(used),
                ..ContainerCpuUsage::default()
            }),
            system_cpu_usage: Some(all),
            online_cpus: Some(4),
            ..ContainerCpuStats::default()
        })
    }

    #[test]
    fn processors_are_counted_between_two_samples() {
        let sample = ContainerStatsResponse {
            cpu_stats: cpu(150, 2_000),
            precpu_stats: cpu(50, 1_800),
            ..ContainerStatsResponse::default()
        };
        assert!((Statistics::of(&sample).cpus - 2.0).abs() < 1e-9);
    }

    #[test]
    fn the_first_sample_and_an_empty_one_are_zero() {
        let first = ContainerStatsResponse {
            cpu_stats: cpu(150, 2_000),
            ..ContainerStatsResponse::default()
        };
        assert!(Statistics::of(&first).cpus.abs() < 1e-9);
        assert_eq!(
            Statistics::of(&ContainerStatsResponse::default()),
            Statistics::default()
        );
    }

    #[test]
    fn the_page_cache_is_not_counted_as_memory() {
        let sample = ContainerStatsResponse {
            memory_stats: Some(ContainerMemoryStats {
                usage: Some(1000),
                limit: Some(5000),
                stats: Some([("inactive_file".to_owned(), 300)].into()),
                ..ContainerMemoryStats::default()
            }),
            ..ContainerStatsResponse::default()
        };
        let statistics = Statistics::of(&sample);
        assert_eq!((statistics.memory, statistics.memory_limit), (700, 5000));
    }
}
