// The tools offered to the model: searching first, and updating rather than adding.

const text = {type: 'string'};
const object = (properties, required) => ({type: 'object', properties, required, additionalProperties: false});

export const tools = [
  {
    name: 'memory_search',
    description: 'Find memories by words. Search before saving.',
    parameters: object({query: text, contextId: text, bindForRequest: {type: 'boolean'}, column: text, taskKind: text, seriesId: text}, ['query']),
  },
  {
    name: 'memory_read',
    description: 'Read the current body of a memory by its id, or with view "links" its relations.',
    parameters: object({id: text, view: {enum: ['body', 'links']}, contextId: text, bindForRequest: {type: 'boolean'}}, ['id']),
  },
  {
    name: 'memory_save',
    description: 'Save a memory. Call memory_search first; if one covers the matter, update it by passing its id instead of adding another. Pass scope "global" only when the user asked for it in this conversation, never on your own judgement.',
    parameters: object({
      id: text, title: text, summary: text, when: text, body: text, topicKey: text, kind: text,
      conditions: {type: 'array', maxItems: 8}, applicability: {enum: ['all_in_scope', 'conditional', 'unresolved']},
      memoryClass: text, evidenceRef: text, scope: {enum: ['project', 'global']}, resolution: {enum: ['distinct']},
    }, []),
  },
  {
    name: 'memory_forget',
    description: 'Archive a memory, or with purge delete it for good.',
    parameters: object({id: text, purge: {type: 'boolean'}}, ['id']),
  },
];
