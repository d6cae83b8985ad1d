// Made from docs/openapi.json by `npm run schema`: do not edit.

export type Abilities = { "adopt"?: boolean; "approvals": (ApprovalScope)[]; "clear"?: boolean; "compact"?: boolean; "edited_input"?: boolean; "effort_switch"?: boolean; "efforts": (string)[]; "images": boolean; "interrupt": boolean; "mode_switch"?: boolean; "model_switch": boolean; "models": ModelChoice; "permission_modes": (PermissionMode)[]; "questions": boolean; "resume": boolean; "steer": boolean };

export type Accepted = { "seq": number; "state": StateName; "task_id": TaskId };

export type Account = { "base_url"?: string | null; "harness": HarnessName; "is_default"?: boolean; "made_at": Timestamp; "name": AccountName; "variables": (string)[] };

export type AccountName = string;

export type AccountRequest = { "base_url"?: string | null; "harness": HarnessName; "is_default"?: boolean; "name": AccountName; "values": Record<string, string> };

export type AccountView = (Account) & ({ "in_use_by": (TaskId)[] });

export type Action = "send" | "queue" | "answer" | "interrupt" | "stop" | "revive" | "sync" | "commit" | "fork" | "hand_off" | "put_aside" | "take_up" | "archive" | "unarchive" | "purge" | "restore";

export type AdoptRequest = { "session_id": string; "task": TaskSpec };

export type Answer = { "choices"?: (string)[]; "text"?: string | null };

export type AnswerRequest = { "answer": Answer; "question_id": QuestionId };

export type Approval = { "approval_id": ApprovalId; "input"?: unknown; "offers"?: (RuleOffer)[]; "reason"?: string | null; "scopes": (ApprovalScope)[]; "summary": string; "tool": ToolKind; "tool_call_id"?: string | null; "tool_name": string };

export type ApprovalId = string;

export type ApprovalRequest = { "approval_id": ApprovalId; "decision": Decision; "keep"?: KeepRule | null };

export type ApprovalScope = "once" | "task" | "repository" | "everywhere";

export type ArchiveRequest = { "archived"?: boolean };

export type ArtifactRef = { "path": string; "sha256": string; "size": number };

export type AsideRequest = { "aside"?: boolean; "seen"?: boolean; "up_to_seq"?: number | null };

export type Attachment = { "media_type": string; "name": string; "sha256": string; "size": number };

export type Back = "running" | { "resting": Need } | "stopped" | "crashed";

export type Block = { "content": string; "kind": BlockKind };

export type BlockKind = "text" | "refusal";

export type Body = { "coding_provider": HarnessName; "project_path"?: string | null; "spec": TaskSpec; "task_description": string; "type": "session_started" } | { "model": string; "provider": HarnessName; "reasoning_effort"?: string | null; "type": "model_selected" } | { "from_model"?: string | null; "from_provider": HarnessName; "reason": string; "to_effort"?: string | null; "to_model"?: string | null; "to_provider": HarnessName; "to_version"?: string | null; "type": "provider_switched" } | { "attachments"?: (Attachment)[]; "content": string; "during_turn"?: boolean; "input_id": InputId; "type": "user_message" } | { "attachments"?: (Attachment)[]; "content": string; "input_id": InputId; "type": "follow_up_queued" } | { "content": string; "input_id": InputId; "type": "follow_up_edited" } | { "input_id": InputId; "type": "follow_up_removed" } | { "input_ids": (InputId)[]; "type": "follow_ups_ordered" } | { "rank": number; "type": "place_moved" } | { "type": "put_aside"; "up_to_seq": number } | { "type": "taken_up" } | { "type": "archived" } | { "type": "unarchived" } | { "blocks": (Block)[]; "parent_tool_call_id"?: string | null; "type": "assistant_message" } | { "parent_tool_call_id"?: string | null; "text": string; "type": "thinking" } | { "args_schema"?: unknown; "name": string; "type": "tool_declared"; "version"?: string | null } | (ToolCallStarted) & ({ "type": "tool_call_started" }) | (ToolCallFinished) & ({ "type": "tool_call_finished" }) | { "attempt_number": number; "issues": (string)[]; "passed": boolean; "summary": string; "tool_call_refs": (string)[]; "type": "verification_attempt" } | { "policy": CondensePolicy; "summary_text"?: string | null; "tokens_after"?: number | null; "tokens_before"?: number | null; "type": "context_condensed" } | { "data": string; "type": "terminal_output" } | { "reason": string; "success": boolean; "total_tool_calls": number; "total_turns": number; "type": "session_ended" } | { "cause"?: string | null; "from": StateName; "on": Transition; "to": StateName; "type": "state_changed" } | { "adopted": boolean; "base": string; "base_commit": string; "branch": string; "repository": string; "type": "branch_claimed" } | { "image"?: string | null; "kind": BoxKind; "name": string; "type": "box_created" } | { "account"?: AccountName | null; "asks_as"?: PermissionMode | null; "harness": HarnessName; "resumed": boolean; "type": "run_started"; "version": string } | { "session_id": string; "type": "agent_session_named" } | { "directory"?: string | null; "harness": HarnessName; "left_out"?: number; "messages": (PastMessage)[]; "session_id": string; "type": "session_adopted" } | { "exit": RunExit; "stderr_tail"?: string; "type": "run_ended"; "unheard_since"?: number | null } | { "duration_ms"?: number | null; "outcome": TurnOutcome; "type": "turn_finished" } | (Question) & ({ "type": "question_asked" }) | { "answer"?: Answer | null; "question_id": QuestionId; "type": "question_answered" } | (Approval) & ({ "type": "approval_requested" }) | { "approval_id": ApprovalId; "by_rule"?: boolean; "decision"?: Decision | null; "rules"?: (Rule)[]; "type": "approval_resolved" } | (Plan) & ({ "type": "plan_proposed" }) | { "decision"?: PlanDecision | null; "plan_id": PlanId; "type": "plan_resolved" } | { "items": (TodoItem)[]; "type": "todo_updated" } | { "name": string; "prompt": string; "tool_call_id": string; "type": "subagent_started" } | { "is_error": boolean; "tool_call_id": string; "type": "subagent_finished" } | (Usage) & ({ "type": "usage_updated" }) | { "limit"?: number | null; "type": "context_measured"; "used": number } | (RateLimit) & ({ "type": "rate_limited" }) | (Retry) & ({ "type": "retrying" }) | { "type": "retry_ended" } | { "attempt": number; "resume_at": Timestamp; "type": "resume_scheduled" } | { "type": "resume_cancelled" } | { "since_at": Timestamp; "type": "agent_silent" } | { "type": "agent_stirred" } | (Offers) & ({ "type": "agent_offers" }) | { "account"?: AccountName | null; "effort"?: string | null; "model"?: string | null; "permission_mode"?: PermissionMode | null; "type": "agent_tuned" } | { "about"?: string | null; "type": "condensing_wished"; "what": Condensing } | { "type": "wish_failed"; "why": string; "wish": InputId } | { "repository": string; "stat": DiffStat; "type": "diff_stat" } | { "commit": string; "repository": string; "subject": string; "type": "commit_made" } | (CheckResult) & ({ "type": "check_finished" }) | { "group_id": GroupId; "type": "winner_picked"; "winner": TaskId } | { "path": string; "repository": string; "type": "repository_relinked" } | { "branch": string; "commit": string; "remote": string; "repository": string; "squashed": boolean; "type": "branch_pushed" } | { "class": ErrorClass; "message": string; "raw"?: string | null; "raw_ref"?: ArtifactRef | null; "type": "error" } | { "level": NoticeLevel; "phase"?: Phase | null; "text": string; "type": "notice" };

export type BoxKind = "container" | "worktree";

export type BoxLimits = { "cpus": number; "enforced": boolean; "memory_bytes": number; "processes"?: number | null };

export type BoxProcess = { "age_ms": number; "command": string; "cpu_ms": number; "cpu_percent": number; "memory_bytes": number; "parent_pid": number; "pid": number; "relay"?: boolean; "run_id"?: RunId | null; "start": number; "state": string };

export type BoxSpec = { "cpus"?: number | null; "image"?: string | null; "kind"?: BoxKind | null; "memory_mib"?: number | null; "network"?: Network | null; "pids"?: number | null };

export type BranchKind = "local" | "remote" | "tag";

export type BranchName = { "commit": string; "committed_at": Timestamp; "kind": BranchKind; "name": string };

export type BranchNames = { "items": (BranchName)[]; "more": boolean };

export type Check = { "detail": string; "name": string; "ok": boolean; "remedy"?: string | null };

export type CheckRequest = { "command"?: string | null };

export type CheckResult = { "command": string; "duration_ms": number; "exit_code"?: number | null; "finished_at"?: Timestamp | null; "output": string };

export type Choice = { "description"?: string | null; "label": string };

export type CommitMade = { "commit": string };

export type CommitPreview = { "files": (FileStat)[]; "findings": (RepositoryFinding)[]; "left_out": (string)[]; "more_files"?: number; "repository": string; "token": string };

export type CommitPreviewList = { "repositories": (CommitPreview)[] };

export type CommitRequest = { "files"?: (string)[] | null; "message": string; "repository": string; "token": string };

export type CommitView = { "added": number; "author": string; "commit": string; "committed_at": Timestamp; "files": number; "removed": number; "subject": string };

export type CompactRequest = { "about"?: string | null };

export type CondensePolicy = "rolling_window" | "requested" | "cleared" | "provider_handoff" | "forked" | "session_lost";

export type Condensing = "compact" | "clear";

export type Contender = { "effort"?: string | null; "harness": HarnessName; "harness_version"?: string | null; "model"?: string | null };

export type Cost = { "partial"?: boolean; "source": CostSource; "usd": number };

export type CostSource = "reported" | "estimated";

export type Cursor = string;

export type CursorData = { "cursor": string };

export type Decision = { "input"?: unknown; "scope": ApprovalScope; "verdict": "allow" } | { "interrupt"?: boolean; "message"?: string | null; "verdict": "deny" };

export type Delta = { "key": string; "kind": DeltaKind; "parent_tool_call_id"?: string | null; "text": string };

export type DeltaData = (Delta) & ({ "task_id": TaskId; "turn_id"?: TurnId | null });

export type DeltaKind = "text" | "thinking" | "tool_output";

export type DiffStat = { "added"?: number; "commits"?: number; "files"?: (FileStat)[]; "more_files"?: number; "removed"?: number; "uncommitted"?: number };

export type Disk = { "free_bytes"?: number | null; "low_water_bytes": number; "message"?: string | null; "state": DiskState };

export type DiskState = "ok" | "low" | "full";

export type DiskUse = { "at_least": boolean; "bytes": number; "measured_at": Timestamp };

export type ErrorBody = { "error": ErrorDetail };

export type ErrorClass = "auth" | "quota" | "overload" | "network" | "context_too_long" | "refused" | "agent" | "session_lost" | "unknown_line" | "setup" | "git" | "internal";

export type ErrorCode = "invalid" | "unauthenticated" | "forbidden" | "not_found" | "method_not_allowed" | "not_now" | "would_lose" | "conflict" | "findings" | "too_large" | "unsupported_media_type" | "too_many_attempts" | "failed" | "internal" | "disk_full" | "overloaded" | "shutting_down" | "unknown";

export type ErrorDetail = { "code": ErrorCode; "details"?: Record<string, unknown>; "message": string };

export type Event = (Body) & ({ "event_id": EventId; "run_id"?: RunId | null; "seq": number; "source"?: Source | null; "task_id": TaskId; "ts": Timestamp; "turn_id"?: TurnId | null });

export type EventId = string;

export type ExchangeRequest = { "code": string };

export type Expired = { "bytes": number; "since": Timestamp; "task_id": TaskId; "title": string; "what": ExpiredKind };

export type ExpiredKind = "journal" | "artifacts" | "unreferenced";

export type ExpiredList = { "bytes": number; "items": (Expired)[] };

export type Failure = { "class": ErrorClass; "message": string };

export type FileStat = { "added"?: number; "binary"?: boolean; "path"?: string; "removed"?: number; "renamed_from"?: string | null };

export type FillRequest = { "values"?: Record<string, string> };

export type Flow = { "in_bytes": number; "in_per_s": number; "out_bytes": number; "out_per_s": number };

export type FollowUp = { "attachments"?: (Attachment)[]; "content": string; "edited_at"?: Timestamp | null; "input_id": InputId; "queued_at": Timestamp };

export type FollowUpEdit = { "text": string };

export type FollowUpHold = "failed" | "interrupted" | "run_ended";

export type FollowUpOrder = { "order": (InputId)[] };

export type FollowUpQueue = { "hold"?: FollowUpHold | null; "items": (FollowUp)[] };

export type ForkRequest = { "attachments"?: (Attachment)[]; "prompt": string; "request_key"?: RequestKey | null; "title"?: string | null; "uncommitted"?: boolean; "with"?: Contender | null };

export type GroupCheck = { "error"?: string | null; "result"?: CheckResult | null; "task_id": TaskId };

export type GroupChecks = { "items": (GroupCheck)[] };

export type GroupId = string;

export type GroupMember = { "check"?: CheckResult | null; "harness": HarnessName; "requested_effort"?: string | null; "requested_model"?: string | null; "task": TaskSummary; "tool_calls": number; "worked_ms": number };

export type GroupRequest = { "also": (Contender)[]; "check"?: string | null; "task": TaskSpec };

export type GroupView = { "check"?: string | null; "created_at": Timestamp; "group_id": GroupId; "members": (GroupMember)[]; "title": string; "winner"?: TaskId | null };

export type HandOffRequest = { "reason"?: string | null; "to": Contender };

export type HarnessName = string;

export type HarnessView = { "abilities": Abilities; "installed": (Program)[]; "keys"?: (KeyView)[]; "name": HarnessName; "provider_set": (string)[]; "versions": (string)[] };

export type Health = { "disk": Disk; "loading": boolean; "phases"?: Phases; "status": string };

export type HostName = string;

export type HostRequest = { "parallel_tasks": number };

export type HostView = { "at_work": (TaskName)[]; "line": (TaskName)[]; "name": HostName; "orphans": (OrphanBox)[]; "parallel_tasks": number; "pending": number; "working": number };

export type IgnoredFiles = { "bytes": number; "files": number; "kept": boolean };

export type InputId = string;

export type InstallFailed = { "error": ErrorDetail };

export type InstallProgress = { "elapsed_ms": number; "text": string };

export type InstallRequest = { "version"?: string | null };

export type JournalCheck = { "artifacts": number; "findings": (JournalFinding)[]; "form"?: JournalForm | null; "kept"?: (string)[]; "lines": number; "more"?: boolean; "task_id": TaskId; "text_bytes": number };

export type JournalFault = "unreadable" | "torn" | "garbled" | "unknown" | "gap" | "double" | "other_task" | "no_beginning" | "event_id" | "source" | "altered" | "compressed" | "two_forms" | "artifact_missing" | "artifact_wrong" | "index";

export type JournalFile = { "archived": boolean; "damage"?: string | null; "file_bytes": number; "form": JournalForm; "kept"?: (string)[]; "last_seq": number; "task_id": TaskId; "text_bytes": number };

export type JournalFinding = { "kind": JournalFault; "line"?: number | null; "text": string };

export type JournalForm = "plain" | "compressed";

export type JournalRepair = { "kept"?: string | null; "last_seq": number; "steps": (string)[]; "task_id": TaskId };

export type KeepRule = { "scope": ApprovalScope; "subjects"?: (RuleSubject)[] };

export type Kept = "pending" | "stopped" | "crashed" | "failed";

export type KeptRef = { "commit": string; "name": string };

export type KeySource = "vault" | "settings" | "environment";

export type KeyView = { "source": KeySource; "used": boolean; "variable": string };

export type KnownRepository = { "last_used_at": Timestamp; "path": string; "problem"?: string | null; "tasks": number };

export type LimitRequest = { "resume": boolean };

export type LineEnd = "front" | "back";

export type Link = { "attempt"?: number; "last_seq"?: number | null; "next_try_at"?: Timestamp | null; "reason"?: string | null; "since_at": Timestamp; "state": LinkState };

export type LinkData = { "link": Link; "task_id": TaskId };

export type LinkState = "none" | "connected" | "reconnecting" | "lost" | "ended" | "gone";

export type ModelChoice = { "choice": "fixed" } | { "choice": "free"; "suggestions": (string)[] };

export type Need = "prompt" | "answers" | "plan_decision";

export type Network = "bridge" | "none";

export type NoticeLevel = "info" | "warning";

export type OfferedCommand = { "description"?: string | null; "hint"?: string | null; "name": string };

export type OfferedModel = { "description"?: string | null; "efforts"?: (string)[]; "id": string; "name"?: string | null; "stands_for"?: string | null };

export type Offers = { "commands"?: (OfferedCommand)[]; "model"?: string | null; "models"?: (OfferedModel)[]; "more_commands"?: number; "more_models"?: number };

export type OpenTurn = { "started_at": Timestamp; "turn_id": TurnId };

export type Origin = { "brief"?: string | null; "files"?: (OriginFiles)[]; "kind": OriginKind; "seq"?: number | null; "session"?: OriginSession | null; "task_id"?: TaskId | null };

export type OriginFiles = { "commit": string; "repository": string };

export type OriginKind = "fork" | "session";

export type OriginSession = { "archive": string; "session_id": string };

export type OrphanBox = { "adoptable"?: boolean; "advice": string; "kind"?: BoxKind | null; "name": string; "repositories"?: (string)[]; "state"?: string; "task_id": TaskId };

export type Page_AccountView = { "items": ((Account) & ({ "in_use_by": (TaskId)[] }))[]; "next_cursor"?: Cursor | null };

export type Page_Check = { "items": ({ "detail": string; "name": string; "ok": boolean; "remedy"?: string | null })[]; "next_cursor"?: Cursor | null };

export type Page_GroupView = { "items": ({ "check"?: string | null; "created_at": Timestamp; "group_id": GroupId; "members": (GroupMember)[]; "title": string; "winner"?: TaskId | null })[]; "next_cursor"?: Cursor | null };

export type Page_HarnessView = { "items": ({ "abilities": Abilities; "installed": (Program)[]; "keys"?: (KeyView)[]; "name": HarnessName; "provider_set": (string)[]; "versions": (string)[] })[]; "next_cursor"?: Cursor | null };

export type Page_HostView = { "items": ({ "at_work": (TaskName)[]; "line": (TaskName)[]; "name": HostName; "orphans": (OrphanBox)[]; "parallel_tasks": number; "pending": number; "working": number })[]; "next_cursor"?: Cursor | null };

export type Page_JournalFile = { "items": ({ "archived": boolean; "damage"?: string | null; "file_bytes": number; "form": JournalForm; "kept"?: (string)[]; "last_seq": number; "task_id": TaskId; "text_bytes": number })[]; "next_cursor"?: Cursor | null };

export type Page_KnownRepository = { "items": ({ "last_used_at": Timestamp; "path": string; "problem"?: string | null; "tasks": number })[]; "next_cursor"?: Cursor | null };

export type Page_OrphanBox = { "items": ({ "adoptable"?: boolean; "advice": string; "kind"?: BoxKind | null; "name": string; "repositories"?: (string)[]; "state"?: string; "task_id": TaskId })[]; "next_cursor"?: Cursor | null };

export type Page_PastSession = { "items": ({ "began_at"?: Timestamp | null; "directory"?: string | null; "harness": HarnessName; "last_at"?: Timestamp | null; "prompts"?: number | null; "session_id": string; "size": number; "task_id"?: TaskId | null; "title": string })[]; "next_cursor"?: Cursor | null };

export type Page_Rule = { "items": ({ "made_at": Timestamp; "made_in"?: TaskId | null; "reach": RuleReach; "rule_id": RuleId; "subject": RuleSubject; "verdict": RuleVerdict })[]; "next_cursor"?: Cursor | null };

export type Page_TaskStatistics = { "items": ({ "box_kind"?: BoxKind | null; "every_ms": number; "following": boolean; "history"?: (Statistics)[]; "latest"?: Statistics | null; "limits"?: BoxLimits | null; "task_id": TaskId })[]; "next_cursor"?: Cursor | null };

export type Page_TaskSummary = { "items": ({ "allowed": (Action)[]; "archived_at"?: Timestamp | null; "box_kind"?: BoxKind | null; "created_at": Timestamp; "failure"?: Failure | null; "follow_ups"?: number; "follow_ups_hold"?: FollowUpHold | null; "forked_from"?: TaskId | null; "group_id"?: GroupId | null; "harness": HarnessName; "host": HostName; "last_outcome"?: TurnOutcome | null; "last_seq": number; "limit"?: UsageLimit | null; "link"?: Link; "model"?: string | null; "needs_me": boolean; "open_requests": number; "place"?: TaskPlace | null; "rate_limit"?: RateLimit | null; "repositories": (RepositorySummary)[]; "retry"?: RetryUnderWay | null; "silent_since"?: Timestamp | null; "state": StateName; "state_changed_at": Timestamp; "task_id": TaskId; "title": string; "turn"?: OpenTurn | null; "turns": number; "updated_at": Timestamp; "usage": Usage; "winner"?: TaskId | null })[]; "next_cursor"?: Cursor | null };

export type Page_TemplateView = { "items": ((TaskTemplate) & ({ "variables": (string)[] }))[]; "next_cursor"?: Cursor | null };

export type PairingCode = { "code": string; "expires_at": Timestamp; "path": string };

export type PastMessage = { "at"?: Timestamp | null; "by": Speaker; "text": string };

export type PastSession = { "began_at"?: Timestamp | null; "directory"?: string | null; "harness": HarnessName; "last_at"?: Timestamp | null; "prompts"?: number | null; "session_id": string; "size": number; "task_id"?: TaskId | null; "title": string };

export type PermissionMode = "full_auto" | "accept_edits" | "ask" | "plan";

export type Phase = "branching" | "provisioning" | "starting";

export type PhaseState = "loading" | "done";

export type Phases = { "hosts": PhaseState; "journals": PhaseState; "repositories": PhaseState };

export type PickRequest = { "purge_others"?: PurgeRequest | null; "task_id": TaskId };

export type PlaceRequest = { "to": LineEnd };

export type Plan = { "plan_id": PlanId; "text": string };

export type PlanDecision = { "text"?: string | null; "verdict": "approve" } | { "comment"?: string | null; "verdict": "reject" };

export type PlanId = string;

export type PlanRequest = { "decision": PlanDecision; "plan_id": PlanId };

export type ProcessList = { "items": (BoxProcess)[]; "more": boolean };

export type ProcessSignal = "hup" | "int" | "quit" | "kill" | "usr1" | "usr2" | "term" | "cont" | "stop";

export type Program = { "dir": string; "harness": HarnessName; "node"?: string | null; "program": string; "sha256": string; "version": string };

export type PurgePreview = { "box_bytes"?: number | null; "processes"?: (PurgedProcess)[]; "repositories"?: (PurgedRepository)[]; "uncommitted"?: (string)[]; "unknown"?: string | null; "unpushed"?: number };

export type PurgeRequest = { "force"?: boolean; "now"?: boolean; "without_snapshot"?: boolean };

export type PurgedProcess = { "command": string; "memory_bytes": number; "pid": number };

export type PurgedRepository = { "branch"?: string | null; "branches"?: (KeptRef)[]; "changed"?: (string)[]; "commits"?: (CommitView)[]; "conflicted"?: (string)[]; "ignored"?: IgnoredFiles; "more_commits"?: number; "more_files"?: number; "path"?: string; "stashes"?: (string)[]; "unknown"?: string | null; "untracked"?: (string)[] };

export type Question = { "choices"?: (Choice)[]; "header"?: string | null; "multiple"?: boolean; "question_id": QuestionId; "text": string };

export type QuestionId = string;

export type RateLimit = { "blocked": boolean; "name": string; "resets_at"?: Timestamp | null; "used"?: number | null };

export type RelinkRequest = { "path": string; "repository"?: string | null };

export type RemoveOrphanRequest = { "force"?: boolean };

export type RepairRequest = { "dry_run"?: boolean };

export type RepositoryCommits = { "base"?: string | null; "base_commit": string; "branch": string; "commits": (CommitView)[]; "more": boolean; "path": string; "uncommitted": number };

export type RepositoryFinding = { "excerpt": string; "id": string; "line"?: number | null; "path": string; "repository": string; "rule": string };

export type RepositoryInfo = { "branch"?: string | null; "branches"?: (string)[]; "default_branch"?: string | null; "dirty": boolean; "notices": (string)[]; "path": string; "remotes": (string)[]; "shallow": boolean };

export type RepositorySpec = { "base"?: string | null; "branch"?: string | null; "path": string };

export type RepositorySummary = { "added": number; "base"?: string | null; "branch"?: string | null; "commits": number; "files": number; "path": string; "removed": number; "uncommitted": number };

export type RepositoryView = { "base"?: string | null; "base_commit"?: string | null; "branch"?: string | null; "diff": DiffStat; "path": string; "pushed"?: string | null };

export type RequestKey = string;

export type ResetData = { "reason": ResetReason };

export type ResetReason = "unknown_cursor" | "too_old";

export type RetentionRequest = { "unreferenced"?: boolean };

export type Retry = { "attempt"?: number | null; "attempts_max"?: number | null; "class"?: ErrorClass | null; "delay_ms"?: number | null; "reason": string };

export type RetryUnderWay = (Retry) & ({ "next_at"?: Timestamp | null; "since_at": Timestamp });

export type ReviveRequest = { "memory_mib"?: number | null };

export type Rule = { "made_at": Timestamp; "made_in"?: TaskId | null; "reach": RuleReach; "rule_id": RuleId; "subject": RuleSubject; "verdict": RuleVerdict };

export type RuleAsked = { "command": string; "to": "run" } | { "path": string; "to": "edit" } | { "path": string; "to": "read" } | { "domain": string; "to": "reach" } | { "to": "use"; "tool": string };

export type RuleId = string;

export type RuleOffer = { "subjects": (RuleSubject)[] };

export type RuleOutcome = "allow" | "deny" | "ask";

export type RulePart = { "command": string; "rule"?: Rule | null };

export type RuleReach = { "scope": "task"; "task_id": TaskId } | { "path": string; "scope": "repository" } | { "scope": "everywhere" };

export type RuleRequest = { "reach": RuleReach; "subject": RuleSubject; "verdict": RuleVerdict };

export type RuleSubject = { "command": string; "on": "command" } | { "on": "edit"; "paths": string } | { "on": "read"; "paths": string } | { "domain": string; "on": "web" } | { "on": "tool"; "tool": string };

export type RuleTest = { "asked": RuleAsked; "repository"?: string | null; "task_id"?: TaskId | null };

export type RuleVerdict = "allow" | "deny";

export type RuleVerdictView = { "doubt"?: string | null; "parts": (RulePart)[]; "rules": (Rule)[]; "verdict": RuleOutcome };

export type RunExit = { "code": number; "how": "code" } | { "how": "signal"; "signal": number } | { "how": "not_started" } | { "how": "lost" };

export type RunId = string;

export type RunView = { "account"?: AccountName | null; "asks_as"?: PermissionMode | null; "exit"?: RunExit | null; "forks"?: boolean; "goes_on_with"?: string | null; "run_id": RunId; "started_at": Timestamp; "version": string };

export type SearchHit = { "happened_at": Timestamp; "harness": HarnessName; "kind": SearchKind; "marks": (SearchMark)[]; "seq": number; "snippet": string; "state"?: StateName | null; "task_id": TaskId; "title": string };

export type SearchKind = "prompt" | "message" | "agent" | "thinking" | "tool" | "output" | "question" | "plan" | "error" | "notice" | "branch";

export type SearchMark = { "from": number; "to": number };

export type SearchPage = { "items": (SearchHit)[]; "more": boolean; "next_cursor"?: Cursor | null; "ranked": number; "unread": number };

export type SecretList = { "items": (SecretView)[]; "vault": VaultView };

export type SecretRequest = { "value": string };

export type SecretView = { "name": string; "used_by": (HarnessName)[] };

export type SendRequest = { "attachments"?: (Attachment)[]; "input_id"?: InputId | null; "text": string; "when"?: SendWhen };

export type SendWhen = "now" | "after_turn";

export type Sent = { "input_id": InputId; "queued"?: boolean };

export type SettingView = { "about": string; "allowed": string; "default": string; "editable": boolean; "key": string; "live": boolean; "origin": string; "saved"?: string | null; "value"?: string | null; "waits": boolean };

export type SettingsRequest = { "revision"?: number | null; "set"?: Record<string, string>; "unset"?: (string)[] };

export type SettingsView = { "file"?: string | null; "revision"?: number; "settings"?: (SettingView)[]; "values": Record<string, unknown> };

export type SignalRequest = { "signal": ProcessSignal; "start": number };

export type Source = { "index": number; "offset": number; "run_id": RunId };

export type Speaker = "user" | "agent" | "tool";

export type SquashList = { "repositories": (SquashPreview)[] };

export type SquashPreview = { "conflicts": (string)[]; "onto": string; "repository": string };

export type StateName = "pending" | "branching" | "provisioning" | "starting" | "running" | "waiting" | "asking" | "has_plan" | "pulling" | "pushing" | "stopping" | "stopped" | "crashed" | "purging" | "failed" | "purged";

export type Statistics = { "block_io"?: Flow | null; "cpu_percent": number; "cpu_share": number; "disk"?: DiskUse | null; "memory_bytes": number; "memory_peak_bytes": number; "network"?: Flow | null; "processes": number; "sampled_at": Timestamp };

export type StatisticsData = (Statistics) & ({ "limits": BoxLimits; "task_id": TaskId });

export type SyncReport = { "repositories": (SyncedRepository)[] };

export type SyncRequest = { "allow"?: (string)[]; "message"?: string | null; "remote"?: string | null; "target"?: SyncTarget };

export type SyncTarget = "branch" | "default" | "local";

export type SyncedRepository = { "branch": string; "brought_out": number; "commit": string; "note"?: string | null; "path": string; "pushed_to"?: string | null };

export type Task = { "agent_session"?: string | null; "allowed": (Action)[]; "approvals": (Approval)[]; "archived_at"?: Timestamp | null; "aside_seq"?: number; "box_kind"?: BoxKind | null; "box_name"?: string | null; "called_seq"?: number; "check"?: CheckResult | null; "created_at": Timestamp; "effort"?: string | null; "failure"?: Failure | null; "follow_ups"?: (FollowUp)[]; "follow_ups_hold"?: FollowUpHold | null; "last_outcome"?: TurnOutcome | null; "last_seq": number; "limit"?: UsageLimit | null; "machine": TaskState; "model"?: string | null; "needs_me"?: boolean; "offers_seq"?: number | null; "origin_spent"?: boolean; "plan"?: Plan | null; "questions": (Question)[]; "rank"?: number; "rate_limit"?: RateLimit | null; "rate_limits"?: (RateLimit)[]; "repositories": (RepositoryView)[]; "resumes"?: number; "retry"?: RetryUnderWay | null; "run"?: RunView | null; "run_since_seq": number; "session_lost"?: boolean; "silent_since"?: Timestamp | null; "spec": TaskSpec; "state": StateName; "state_changed_at": Timestamp; "taken_over_from"?: HarnessName | null; "task_id": TaskId; "title": string; "todos": (TodoItem)[]; "tool_calls": number; "turn"?: OpenTurn | null; "turns": number; "updated_at": Timestamp; "usage": Usage; "usage_before_run": Usage; "winner"?: TaskId | null; "worked_ms"?: number };

export type TaskCommits = { "repositories": (RepositoryCommits)[] };

export type TaskGroup = { "check"?: string | null; "group_id": GroupId };

export type TaskId = string;

export type TaskName = { "state": StateName; "task_id": TaskId; "title": string };

export type TaskPlace = { "held": number; "held_by": (TaskName)[]; "host": HostName; "limit": number; "of": number; "position": number; "reason": string };

export type TaskRef = { "task_id": TaskId; "title": string };

export type TaskSpec = { "account"?: AccountName | null; "attachments"?: (Attachment)[]; "box"?: BoxSpec; "effort"?: string | null; "group"?: TaskGroup | null; "harness": HarnessName; "harness_version"?: string | null; "host"?: HostName; "model"?: string | null; "origin"?: Origin | null; "permission_mode"?: PermissionMode; "prompt": string; "repositories"?: (RepositorySpec)[]; "request_key"?: RequestKey | null; "resume_on_limit"?: boolean | null; "title"?: string | null };

export type TaskState = "pending" | "branching" | { "provisioning": { "again": boolean } } | { "starting": { "again": boolean } } | "running" | { "resting": Need } | { "pulling": Back } | { "pushing": Back } | "stopping" | "stopped" | "crashed" | { "purging": Kept } | "failed" | "purged";

export type TaskStatistics = { "box_kind"?: BoxKind | null; "every_ms": number; "following": boolean; "history"?: (Statistics)[]; "latest"?: Statistics | null; "limits"?: BoxLimits | null; "task_id": TaskId };

export type TaskSummary = { "allowed": (Action)[]; "archived_at"?: Timestamp | null; "box_kind"?: BoxKind | null; "created_at": Timestamp; "failure"?: Failure | null; "follow_ups"?: number; "follow_ups_hold"?: FollowUpHold | null; "forked_from"?: TaskId | null; "group_id"?: GroupId | null; "harness": HarnessName; "host": HostName; "last_outcome"?: TurnOutcome | null; "last_seq": number; "limit"?: UsageLimit | null; "link"?: Link; "model"?: string | null; "needs_me": boolean; "open_requests": number; "place"?: TaskPlace | null; "rate_limit"?: RateLimit | null; "repositories": (RepositorySummary)[]; "retry"?: RetryUnderWay | null; "silent_since"?: Timestamp | null; "state": StateName; "state_changed_at": Timestamp; "task_id": TaskId; "title": string; "turn"?: OpenTurn | null; "turns": number; "updated_at": Timestamp; "usage": Usage; "winner"?: TaskId | null };

export type TaskTemplate = { "name": TemplateName; "spec": TaskSpec; "updated_at": Timestamp };

export type TaskView = (Task) & ({ "forks"?: (TaskRef)[]; "link"?: Link; "missing"?: (string)[] });

export type TemplateName = string;

export type TemplateRequest = { "spec": TaskSpec };

export type TemplateView = (TaskTemplate) & ({ "variables": (string)[] });

export type Terminal = { "exit"?: RunExit | null; "name": TerminalName; "opened_at": Timestamp; "program": string; "size": TerminalSize; "what": TerminalKind };

export type TerminalClosed = { "exit": RunExit };

export type TerminalKind = "shell" | "agent";

export type TerminalList = { "agent": boolean; "folder"?: string | null; "items": (Terminal)[] };

export type TerminalName = string;

export type TerminalRequest = { "name"?: TerminalName | null; "size"?: TerminalSize | null; "what"?: TerminalKind };

export type TerminalSay = { "channel": number; "task": TaskId; "terminal": TerminalName; "type": "open" } | { "channel": number; "size": TerminalSize; "type": "resize" } | { "bytes": number; "channel": number; "type": "ack" } | { "channel": number; "type": "close" };

export type TerminalSize = { "cols": number; "rows": number };

export type TerminalTell = { "channel": number; "terminal": Terminal; "type": "opened" } | { "bytes": number; "channel": number; "size": TerminalSize; "type": "screen" } | { "channel": number; "size": TerminalSize; "type": "resized" } | { "channel": number; "type": "reconnecting" } | { "channel": number; "exit": RunExit; "type": "exit" } | { "channel": number; "error": ErrorDetail; "type": "error" };

export type Timestamp = string;

export type TodoItem = { "status": TodoStatus; "text": string };

export type TodoStatus = "pending" | "in_progress" | "completed";

export type ToolCallFinished = { "duration_ms"?: number | null; "exit_code"?: number | null; "images"?: (Attachment)[]; "is_error": boolean; "output"?: string | null; "parent_tool_call_id"?: string | null; "patch"?: string | null; "patch_ref"?: ArtifactRef | null; "stdout_ref"?: ArtifactRef | null; "tool_call_id": string };

export type ToolCallStarted = { "args"?: unknown; "args_ref"?: ArtifactRef | null; "command"?: string | null; "cwd"?: string | null; "parent_tool_call_id"?: string | null; "path"?: string | null; "server"?: string | null; "timeout_s"?: number | null; "tool": ToolKind; "tool_call_id": string; "tool_name": string };

export type ToolKind = "bash" | "read" | "write" | "edit" | "glob" | "grep" | "web" | "mcp" | "subagent" | "todo" | "other";

export type Transition = "scheduled" | "branched" | "box_ready" | "prompted" | "resumed" | { "rested": Need } | "engaged" | "pull_started" | "push_started" | "synced" | "stop_requested" | "ended" | "crashed" | "revive_requested" | "purge_requested" | "purge_undone" | "purge_done" | "failed";

export type TrashDetail = { "commits": (CommitView)[]; "diff": string; "entry": TrashEntry; "files": DiffStat; "more_commits": number; "truncated": boolean };

export type TrashDropped = { "commit": string; "ref": string };

export type TrashEntry = { "branch"?: string | null; "commit": string; "expires_at"?: Timestamp | null; "head"?: string | null; "ignored": IgnoredFiles; "kept_at": Timestamp; "number": number; "others": (KeptRef)[]; "reason": TrashReason; "ref": string; "repository": string; "task_id": TaskId; "title"?: string | null; "uncommitted": number };

export type TrashList = { "items": (TrashEntry)[]; "unreadable": (UnreadableTrash)[] };

export type TrashReason = "purge" | "failed" | "orphan" | "reset" | "rewritten" | "unlanded" | "unknown";

export type TrashRestoreRequest = { "branch"?: string | null; "others"?: boolean; "repository"?: string | null; "task"?: TaskSpec | null };

export type TrashRestored = { "branch": string; "commit": string; "others": (KeptRef)[]; "repository": string; "task_id"?: TaskId | null };

export type TuneRequest = { "account"?: AccountName | null; "effort"?: string | null; "model"?: string | null; "permission_mode"?: PermissionMode | null };

export type TurnId = string;

export type TurnOutcome = "completed" | "failed" | "interrupted" | "run_ended";

export type UnreadableTrash = { "reason": string; "repository": string };

export type Usage = { "cache_write_tokens"?: number; "cached_tokens"?: number; "context_limit"?: number | null; "context_used"?: number | null; "cost"?: Cost | null; "input_tokens"?: number; "output_tokens"?: number; "reasoning_tokens"?: number };

export type UsageLimit = { "cancelled"?: boolean; "name"?: string | null; "reached_at": Timestamp; "resets_at"?: Timestamp | null; "resume_at"?: Timestamp | null };

export type VaultKind = "keychain" | "passphrase" | "key_file" | "memory";

export type VaultView = { "kind"?: VaultKind | null; "why": string };

export type VersionInfo = { "api": string; "version": string };
