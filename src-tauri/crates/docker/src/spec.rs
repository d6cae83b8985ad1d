//! A container to be made: closed by default, opened only by what its fields say.
//!
//! Invariant: whatever the fields, the container has no capability, cannot gain privileges, keeps the
//! engine's seccomp profile, publishes no port, and runs without a health check, restarts or an
//! entrypoint of the image.

use std::collections::{BTreeMap, HashMap};

use bollard::models::{
    ContainerCreateBody, HealthConfig, HostConfig, Mount as ApiMount, MountBindOptions, MountType,
};

/// What a container is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct ContainerSpec {
    /// Its name, unique on the engine.
    pub name: String,
    /// The image that it starts from, as [`crate::Engine::image`] found it.
    pub image: String,
    /// The program and its arguments, in place of what the image would run.
    pub command: Vec<String>,
    /// Variables on top of the image's.
    pub env: BTreeMap<String, String>,
    /// Working directory.
    pub work_dir: String,
    /// `uid:gid` in the container.
    pub user: String,
    /// How user ids are mapped, in the engine's words; its default when absent.
    pub user_namespace: Option<String>,
    /// Labels.
    pub labels: BTreeMap<String, String>,
    /// Directories and files of the host.
    pub mounts: Vec<Mount>,
    /// Directories in memory, each with the most bytes it may hold.
    pub memory_dirs: BTreeMap<String, u64>,
    /// The network.
    pub network: NetworkMode,
    /// Most memory in bytes, swap included.
    pub memory: u64,
    /// Most processors; all when absent.
    pub cpus: Option<f64>,
    /// Most processes and threads.
    pub pids: u64,
}

/// A directory or file of the host that the container sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mount {
    /// On the host; it must be there.
    pub source: String,
    /// In the container.
    pub target: String,
    /// What the container may do with it.
    pub access: Access,
}

/// What a container may do with a mount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Look at it.
    Read,
    /// Change it.
    Write,
}

/// What of the network a container reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkMode {
    /// The engine's bridge.
    Bridge,
    /// Its own loopback only.
    None,
}

impl ContainerSpec {
    /// Longest time that the container has between SIGTERM and SIGKILL, in seconds.
    const STOP_TIME_S: i64 = 10;

    pub(crate) fn body(&self) -> ContainerCreateBody {
        let (program, args) = match self.command.split_first() {
            Some((program, args)) => (vec![program.clone()], args.to_vec()),
            None => (Vec::new(), Vec::new()),
        };
        let env = self
            .env
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        ContainerCreateBody {
            image: Some(self.image.clone()),
            entrypoint: Some(program),
            cmd: Some(args),
            env: Some(env.collect()),
            user: Some(self.user.clone()),
            working_dir: Some(self.work_dir.clone()),
            labels: Some(self.labels.clone().into_iter().collect()),
            stop_timeout: Some(Self::STOP_TIME_S),
            stop_signal: Some("SIGTERM".to_owned()),
            healthcheck: Some(HealthConfig {
                test: Some(vec!["NONE".to_owned()]),
                ..HealthConfig::default()
            }),
            host_config: Some(self.host_config()),
            ..ContainerCreateBody::default()
        }
    }

    fn host_config(&self) -> HostConfig {
        let network = match self.network {
            NetworkMode::Bridge => "bridge",
            NetworkMode::None => "none",
        };
        HostConfig {
            cap_drop: Some(vec!["ALL".to_owned()]),
            security_opt: Some(vec!["no-new-privileges".to_owned()]),
            privileged: Some(false),
            publish_all_ports: Some(false),
            userns_mode: self.user_namespace.clone(),
            network_mode: Some(network.to_owned()),
            memory: Some(signed(self.memory)),
            memory_swap: Some(signed(self.memory)),
            nano_cpus: self.cpus.map(nano),
            pids_limit: Some(signed(self.pids)),
            mounts: Some(self.mounts.iter().map(Mount::api).collect()),
            tmpfs: Some(self.tmpfs()),
            ..HostConfig::default()
        }
    }

    fn tmpfs(&self) -> HashMap<String, String> {
        let dirs = self.memory_dirs.iter();
        let options = |size: &u64| format!("rw,nosuid,nodev,exec,mode=1777,size={size}");
        dirs.map(|(dir, size)| (dir.clone(), options(size)))
            .collect()
    }
}

impl Mount {
    /// A mount that is only looked at.
    pub fn read(source: impl Into<String>, target: impl Into<String>) -> Self {
        Self {
            source: source.into(),
            target: target.into(),
            access: Access::Read,
        }
    }

    /// A mount that may be changed.
    pub fn write(source: impl Into<String>, target: impl Into<String>) -> Self {
        Self {
            access: Access::Write,
            ..Self::read(source, target)
        }
    }

    fn api(&self) -> ApiMount {
        ApiMount {
            source: Some(self.source.clone()),
            target: Some(self.target.clone()),
            typ: Some(MountType::BIND),
            read_only: Some(self.access == Access::Read),
            bind_options: Some(MountBindOptions {
                // What is mounted below the source on the host stays the host's.
                non_recursive: Some(true),
                ..MountBindOptions::default()
            }),
            ..ApiMount::default()
        }
    }
}

fn signed(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

#[expect(clippy::cast_possible_truncation, reason = "clamped to what fits")]
fn nano(cpus: f64) -> i64 {
    (cpus.clamp(0.01, 4096.0) * 1e9) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec() -> ContainerSpec {
        ContainerSpec {
            name: "c".to_owned(),
            image: "i".to_owned(),
            command: vec!["/relay".to_owned(), "serve".to_owned()],
            env: BTreeMap::from([("HOME".to_owned(), "/home/agent".to_owned())]),
            work_dir: "/work".to_owned(),
            user: "1000:1000".to_owned(),
            user_namespace: None,
            labels: BTreeMap::new(),
            mounts: vec![Mount::read("/a b:c", "/x"), Mount::write("/d", "/y")],
            memory_dirs: BTreeMap::from([("/tmp".to_owned(), 1024)]),
            network: NetworkMode::None,
            memory: 1 << 30,
            cpus: Some(0.5),
            pids: 100,
        }
    }

    #[test]
    fn a_container_is_closed_whatever_else_it_is() {
        let host = spec().body().host_config.unwrap();
        assert_eq!(host.cap_drop, Some(vec!["ALL".to_owned()]));
        assert_eq!(host.cap_add, None);
        assert_eq!(
            host.security_opt,
            Some(vec!["no-new-privileges".to_owned()])
        );
        assert_eq!(
            (host.privileged, host.pid_mode, host.ipc_mode),
            (Some(false), None, None)
        );
        assert_eq!(
            (host.port_bindings, host.devices, host.binds),
            (None, None, None)
        );
        assert_eq!(host.network_mode.as_deref(), Some("none"));
    }

    #[test]
    fn limits_reach_the_engine_in_its_units() {
        let host = spec().body().host_config.unwrap();
        assert_eq!(
            (host.memory, host.memory_swap),
            (Some(1 << 30), Some(1 << 30))
        );
        assert_eq!(
            (host.nano_cpus, host.pids_limit),
            (Some(500_000_000), Some(100))
        );
        assert_eq!(
            host.tmpfs.unwrap()["/tmp"],
            "rw,nosuid,nodev,exec,mode=1777,size=1024"
        );
    }

    #[test]
    fn a_mount_may_have_any_path_and_is_read_only_unless_said() {
        let mounts = spec().body().host_config.unwrap().mounts.unwrap();
        assert_eq!(mounts[0].source.as_deref(), Some("/a b:c"));
        assert_eq!(
            (mounts[0].read_only, mounts[1].read_only),
            (Some(true), Some(false))
        );
    }

    #[test]
    fn the_images_own_entrypoint_and_health_check_are_off() {
        let body = spec().body();
        assert_eq!(body.entrypoint, Some(vec!["/relay".to_owned()]));
        assert_eq!(body.cmd, Some(vec!["serve".to_owned()]));
        assert_eq!(
            body.healthcheck.unwrap().test,
            Some(vec!["NONE".to_owned()])
        );
    }
}
