/** What the standard requires of an event about a run (2-0-2) and of the facets that we write, in the words of JSON Schema. */
const text = { type: 'string' }
const uri = { type: 'string', format: 'uri' }
const named = (more: object = {}) => ({
  type: 'object',
  properties: { namespace: text, name: text, ...more },
  required: ['namespace', 'name', ...Object.keys(more)]
})

function facets(known: Readonly<Record<string, object>>): object {
  const base = {
    type: 'object',
    properties: { _producer: uri, _schemaURL: uri },
    required: ['_producer', '_schemaURL']
  }
  const properties = Object.fromEntries(Object.entries(known).map(([name, one]) => [name, { allOf: [base, one] }]))
  return { type: 'object', properties, additionalProperties: base }
}

const listOf = (key: string, items: object) => ({
  type: 'object',
  properties: { [key]: { type: 'array', items } },
  required: [key]
})
const described = { type: 'object', properties: { description: text }, required: ['description'] }
const owned = listOf('owners', { type: 'object', properties: { name: text, type: text }, required: ['name'] })

const transformation = {
  type: 'object',
  properties: {
    type: { enum: ['DIRECT', 'INDIRECT'] },
    subtype: text,
    description: text,
    masking: { type: 'boolean' }
  },
  required: ['type']
}
const inputField = {
  allOf: [named({ field: text }), { properties: { transformations: { type: 'array', items: transformation } } }]
}
const columnLineage = {
  type: 'object',
  properties: {
    fields: { type: 'object', additionalProperties: listOf('inputFields', inputField) },
    dataset: { type: 'array', items: inputField }
  },
  required: ['fields']
}

const dataset = {
  allOf: [
    named(),
    {
      properties: {
        facets: facets({
          schema: listOf('fields', { type: 'object', properties: { name: text, type: text }, required: ['name'] }),
          ownership: owned,
          documentation: described,
          symlinks: listOf('identifiers', named({ type: text })),
          columnLineage
        })
      }
    }
  ]
}

const run = {
  type: 'object',
  properties: { runId: { type: 'string', format: 'uuid' } },
  required: ['runId']
}

export const RUN_EVENT_SCHEMA = {
  type: 'object',
  properties: {
    eventType: { enum: ['START', 'RUNNING', 'COMPLETE', 'ABORT', 'FAIL', 'OTHER'] },
    eventTime: { type: 'string', format: 'date-time' },
    producer: uri,
    schemaURL: uri,
    run: {
      allOf: [
        run,
        { properties: { facets: facets({ parent: { properties: { run, job: named() }, required: ['run', 'job'] } }) } }
      ]
    },
    job: { allOf: [named(), { properties: { facets: facets({ ownership: owned, documentation: described }) } }] },
    inputs: { type: 'array', items: dataset },
    outputs: { type: 'array', items: dataset }
  },
  required: ['eventTime', 'producer', 'schemaURL', 'run', 'job']
}
