// Holds the client's own types against those of the API's document; checked by the compiler, never run.
// A line that does not compile names the field that the two disagree on.
import type * as schema from '../../src/api/schema';
import type * as wire from '../../src/api/types';

/** True when `Mine` knows every field of `Theirs` and each of its fields is one that `Theirs` allows. */
type Covers<Mine, Theirs> = Exclude<AllKeys<Theirs>, AllKeys<Mine>> extends never
  ? Mine extends Theirs
    ? true
    : { fieldsThatDiffer: { [K in keyof Mine & keyof Theirs as Mine[K] extends Theirs[K] ? never : K]: Theirs[K] } }
  : { missing: Exclude<AllKeys<Theirs>, AllKeys<Mine>> };
type AllKeys<T> = T extends unknown ? keyof T : never;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : { missing: Exclude<B, A> }) : { unknown: Exclude<A, B> };
type BodyOf<T, Union> = Extract<Union, { type: T }>;

/** Each type of event, with its fields. */
type Bodies = { [T in schema.Body['type']]: Covers<BodyOf<T, wire.Body>, BodyOf<T, schema.Body>> };

export type Checks = [
  Same<wire.StateName, schema.StateName>,
  Same<wire.Action, schema.Action>,
  Same<wire.PermissionMode, schema.PermissionMode>,
  Same<wire.BoxKind, schema.BoxKind>,
  Same<wire.Network, schema.Network>,
  Same<wire.ToolKind, schema.ToolKind>,
  Same<wire.TurnOutcome, schema.TurnOutcome>,
  Same<wire.ErrorClass, schema.ErrorClass>,
  Same<wire.Phase, schema.Phase>,
  Same<wire.ApprovalScope, schema.ApprovalScope>,
  Same<wire.ErrorCode, schema.ErrorCode>,
  Same<wire.EventType, schema.Body['type']>,
  Same<wire.Delta['kind'], schema.DeltaKind>,
  // What the server keeps for itself to fold on, no client reads.
  Covers<wire.Task, Omit<schema.TaskView, 'machine' | 'run_since_seq' | 'usage_before_run' | 'session_lost'>>,
  Covers<wire.TaskSpec, schema.TaskSpec>,
  Covers<wire.BoxSpec, schema.BoxSpec>,
  Covers<wire.RepositoryView, schema.RepositoryView>,
  Covers<wire.DiffStat, schema.DiffStat>,
  Covers<wire.FileStat, schema.FileStat>,
  Covers<wire.Usage, schema.Usage>,
  Covers<wire.RateLimit, schema.RateLimit>,
  Covers<wire.Retry, schema.Retry>,
  Covers<wire.Question, schema.Question>,
  Covers<wire.Answer, schema.Answer>,
  Covers<wire.Approval, schema.Approval>,
  Covers<wire.Decision, schema.Decision>,
  Covers<wire.PlanDecision, schema.PlanDecision>,
  Covers<wire.RunExit, schema.RunExit>,
  Covers<wire.TaskSummary, schema.TaskSummary>,
  Covers<wire.RepositorySummary, schema.RepositorySummary>,
  Covers<wire.Delta, schema.Delta>,
  Covers<wire.PurgePreview, schema.PurgePreview>,
  Covers<wire.SyncRequest, schema.SyncRequest>,
  Covers<wire.SyncReport, schema.SyncReport>,
  Covers<wire.RepositoryFinding, schema.RepositoryFinding>,
  Covers<wire.SquashPreview, schema.SquashPreview>,
  Covers<wire.CommitPreview, schema.CommitPreview>,
  Covers<wire.HostView, schema.HostView>,
  Covers<wire.JournalFile, schema.JournalFile>,
  Covers<wire.KnownRepository, schema.KnownRepository>,
  Covers<wire.RepositoryInfo, schema.RepositoryInfo>,
  Covers<wire.HarnessView, schema.HarnessView>,
  Covers<wire.Abilities, schema.Abilities>,
  Covers<wire.Program, schema.Program>,
  Covers<wire.Check, schema.Check>,
  Covers<wire.SettingsView, schema.SettingsView>,
  Covers<wire.VersionInfo, schema.VersionInfo>,
  Covers<wire.Message, schema.SendRequest>,
  Same<wire.LinkName, schema.LinkState>,
  Same<wire.Signal, schema.ProcessSignal>,
  Same<wire.TrashReason, schema.TrashReason>,
  Same<wire.When, schema.SendWhen>,
  Covers<wire.Link, schema.Link>,
  Covers<wire.Statistics, schema.Statistics>,
  Covers<wire.BoxLimits, schema.BoxLimits>,
  Covers<wire.TaskStatistics, schema.TaskStatistics>,
  Covers<wire.BoxProcess, schema.BoxProcess>,
  Covers<wire.ProcessList, schema.ProcessList>,
  Covers<wire.FollowUp, schema.FollowUp>,
  Covers<wire.Queue, schema.FollowUpQueue>,
  Covers<wire.Place, schema.TaskPlace>,
  Covers<wire.Health, schema.Health>,
  Covers<wire.TrashEntry, schema.TrashEntry>,
  Covers<wire.TrashList, schema.TrashList>,
  Covers<wire.TrashDetail, schema.TrashDetail>,
  Covers<wire.RestoreRequest, schema.TrashRestoreRequest>,
  Covers<wire.Restored, schema.TrashRestored>,
  Covers<wire.RepositoryLoss, schema.PurgedRepository>,
  Covers<wire.RepositoryCommits, schema.RepositoryCommits>,
  Covers<wire.CommitView, schema.CommitView>,
  Covers<wire.BranchView, schema.BranchName>,
  Covers<wire.Orphan, schema.OrphanBox>,
  Same<wire.JournalFault, schema.JournalFault>,
  Covers<wire.JournalCheck, schema.JournalCheck>,
  Covers<wire.JournalRepair, schema.JournalRepair>,
  Covers<wire.Expired, schema.Expired>,
  Same<wire.ExpiredKind, schema.ExpiredKind>,
  Covers<wire.ExpiredList, schema.ExpiredList>,
  Covers<wire.PairingCode, schema.PairingCode>,
];

type AllTrue<T> = { [K in keyof T]: T[K] extends true ? true : T[K] };
type IsTrue<T extends true> = T;
type ChecksHold = AllTrue<Checks>[number] extends true ? true : AllTrue<Checks>;
type BodiesHold = Bodies[keyof Bodies] extends true ? true : { [T in keyof Bodies as Bodies[T] extends true ? never : T]: Bodies[T] };
export type Proof = [IsTrue<ChecksHold>, IsTrue<BodiesHold>];
