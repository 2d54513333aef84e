// Numbers, words and patterns that the rules fix, and the options chosen where they leave a choice.

export const MAX_CONDITIONS = 8; // LM-5.3
export const MAX_BODY_BYTES = 4096; // LM-4.50
export const HARD_ENTRIES = 1000; // LM-4.49
export const MAX_LAYER_BYTES = 1048576; // LM-4.51
export const LOCK_WAIT_MS = 500; // LM-8.20
export const LOCK_POLL_MS = 25;
export const BUSY_THAT_LASTS = 3; // LM-9.17
export const MAX_CARDS = 3; // LM-2.23
export const MAX_INJECTION_BYTES = 1200; // LM-2.24
export const MAX_CANDIDATES = 2; // LM-4.8
export const RECALL_DEADLINE_MS = 1000;
export const CONTEXT_LIFETIME_MS = 600000;
export const DEFAULT_BUDGET = {reads: 10, bytes: 6000, bodies: 3};
export const SIMILARITY_PERCENT = 60;

export const CONDITION_KEYS = new Set([
  'targetOs', 'shell', 'runtime', 'machine', 'projectRoot',
  'pathPrefix', 'artifactKey', 'taskKind', 'seriesId', 'phase',
]); // LM-5.1
export const ENVIRONMENT_KEYS = ['machine', 'targetOs', 'runtime', 'shell']; // LM-4.33
export const DEFAULTED_KEYS = ['taskKind', 'seriesId', 'phase', 'artifactKey']; // LM-2.17
export const APPLICABILITIES = ['all_in_scope', 'conditional', 'unresolved']; // LM-5.8
export const ID = /^mem_[0-9A-Za-z]{8,64}$/; // LM-3.32
export const CONTINUATIONS = [
  '继续', '接着', '接着说', '然后', '然后呢', '还有呢', '下一步', 'go on', 'continue', 'next',
];

export const bytes = (text) => Buffer.byteLength(text, 'utf8');
