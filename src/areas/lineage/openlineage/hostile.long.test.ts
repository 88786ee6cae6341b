import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { sightingsOf } from './reading.ts'
import { simulate } from './testing/simulate.ts'
import { designEvent, facet, NAMING, problemOf, runEvent, sightingBy, table, toldBy } from './testing/told.ts'

const outputs = (facets: object) => ({ outputs: [table('t', facets)] })
const columnLineage = (parts: object) => outputs({ columnLineage: facet(parts) })
const job = (facets: object) => ({ job: { namespace: 'n', name: 'j', facets } })
const run = (facets: object) => ({ run: { runId: 'r', facets } })

describe('an event that is wrong', () => {
  for (const [what, event, problem] of [
    ['null', null, ' is missing'],
    ['text', 'COMPLETE', ' must be an object'],
    ['an array', [runEvent()], ' must be an object'],
    ['nothing in it', {}, '/eventTime is missing'],
    ['no producer', runEvent({ producer: undefined }), '/producer is missing'],
    ['no run', runEvent({ run: undefined }), '/run is missing'],
    ['no run, job and data', designEvent({}), ' must have run and job, or job, or dataset'],
    ['no job', runEvent({ job: null }), '/job is missing'],
    ['no runId', runEvent({ run: {} }), '/run/runId is missing'],
    ['a run that is text', runEvent({ run: 'r' }), '/run must be an object'],
    ['a runId that is a number', runEvent({ run: { runId: 1 } }), '/run/runId must be text'],
    ['an empty name', runEvent({ job: { namespace: 'n', name: '' } }), '/job/name must not be empty'],
    ['a job without namespace', runEvent({ job: { name: 'j' } }), '/job/namespace is missing'],
    [
      'a long name',
      runEvent({ job: { namespace: 'n', name: 'x'.repeat(1001) } }),
      '/job/name must have at most 1000 bytes in UTF-8'
    ],
    [
      'an unknown state',
      runEvent({ eventType: 'DONE' }),
      '/eventType must be one of START, RUNNING, COMPLETE, ABORT, FAIL, OTHER'
    ],
    ['a state that every object has', runEvent({ eventType: 'constructor' }), '/eventType must be one of'],
    ['a time that is NaN', runEvent({ eventTime: 'NaN' }), '/eventTime must be a time such as'],
    ['a time that is a number', runEvent({ eventTime: 1_700_000_000_000 }), '/eventTime must be text'],
    ['a time before all', runEvent({ eventTime: '0001-01-01T00:00:00Z' }), '/eventTime must be a time such as'],
    ['inputs that are an object', runEvent({ inputs: { 0: table('t') } }), '/inputs must be an array'],
    ['an input that is null', runEvent({ inputs: [null] }), '/inputs/0 is missing'],
    [
      'facets that are an array',
      runEvent({ inputs: [{ ...table('t'), facets: [] }] }),
      '/inputs/0/facets must be an object'
    ],
    [
      'columns without names',
      runEvent(outputs({ schema: facet({ fields: [{ type: 'INT' }] }) })),
      '/outputs/0/facets/schema/fields/0/name is missing'
    ],
    [
      'owners without names',
      runEvent(job({ ownership: facet({ owners: [{}] }) })),
      '/job/facets/ownership/owners/0/name is missing'
    ],
    [
      'a description that is none',
      runEvent(job({ documentation: facet({ description: {} }) })),
      '/job/facets/documentation/description must be text'
    ],
    ['SQL without a query', runEvent(job({ sql: facet({}) })), '/job/facets/sql/query is missing'],
    [
      'a parent without a job',
      runEvent(run({ parent: facet({ run: { runId: 'p' } }) })),
      '/run/facets/parent/job is missing'
    ],
    [
      'a nominal time that is none',
      runEvent(run({ nominalTime: facet({ nominalStartTime: 'today' }) })),
      '/run/facets/nominalTime/nominalStartTime must be a time'
    ],
    [
      '_deleted that is text',
      runEvent(outputs({ schema: facet({ _deleted: 'yes' }) })),
      '/outputs/0/facets/schema/_deleted must be true or false'
    ],
    [
      'lineage of columns without fields',
      runEvent(columnLineage({})),
      '/outputs/0/facets/columnLineage/fields is missing'
    ],
    [
      'a column without inputs',
      runEvent(columnLineage({ fields: { 'a/b~c': {} } })),
      '/outputs/0/facets/columnLineage/fields/a~1b~0c/inputFields is missing'
    ],
    [
      'an input without a column',
      runEvent(columnLineage({ fields: { a: { inputFields: [table('t')] } } })),
      '/outputs/0/facets/columnLineage/fields/a/inputFields/0/field is missing'
    ],
    [
      'a column without a name',
      runEvent(columnLineage({ fields: { '': { inputFields: [] } } })),
      '/outputs/0/facets/columnLineage/fields/ must not be empty'
    ],
    [
      'a mask that is text',
      runEvent(
        columnLineage({
          fields: {
            a: { inputFields: [{ ...table('t'), field: 'f', transformations: [{ type: 'DIRECT', masking: 'no' }] }] }
          }
        })
      ),
      '/outputs/0/facets/columnLineage/fields/a/inputFields/0/transformations/0/masking must be true or false'
    ],
    [
      'other names that are incomplete',
      runEvent(outputs({ symlinks: facet({ identifiers: [{ name: 'x' }] }) })),
      '/outputs/0/facets/symlinks/identifiers/0/namespace is missing'
    ],
    [
      'lineage of something unsaid',
      runEvent(job({ lineage: facet({ entries: [{ name: 'x' }] }) })),
      '/job/facets/lineage/entries/0/type is missing'
    ]
  ] as const) {
    it(`is told where and why: ${what}`, () => {
      const told = problemOf(event)
      assert.ok(told.startsWith(problem), told)
    })
  }

  it('has columns whose names are too long for an index, in bytes', () => {
    const named = (name: string) => runEvent(columnLineage({ fields: { [name]: { inputFields: [] } } }))
    sightingBy(named('é'.repeat(500)))
    assert.match(problemOf(named('é'.repeat(501))), / must have at most 1000 bytes in UTF-8$/)
  })

  for (const name of ['\ud800', 'a\0b']) {
    it(`has names that no database takes: ${JSON.stringify(name)}`, () => {
      const problem = 'must be well-formed Unicode without the character U+0000'
      assert.equal(problemOf(runEvent({ inputs: [table(name)] })), `/inputs/0/name ${problem}`)
      const told = toldBy(runEvent(job({ documentation: facet({ description: `of ${name}.` }) })))
      assert.match(told.sightings[0]?.job.description ?? '', /^of (\ufffd|ab)\.$/)
    })
  }

  it('has names that are too long together', () => {
    const named = (chars: number) => runEvent({ inputs: [{ namespace: 'é'.repeat(100), name: 'x'.repeat(chars) }] })
    assert.equal(sightingBy(named(589)).inputs[0]?.reference.length, 1200)
    assert.match(
      problemOf(named(590)),
      /^\/inputs\/0 has names whose reference \(dataset:\/\/%C3%A9.*…\) must have at most 1200 characters$/
    )
  })

  it('has nothing of what its prototype has', () => {
    assert.equal(problemOf(Object.create(runEvent())), '/eventTime is missing')
  })

  it('says so briefly, however long the names are', () => {
    const problem = problemOf(runEvent(columnLineage({ fields: { ['x'.repeat(1_000_000)]: { inputFields: [] } } })))
    assert.ok(problem.length < 400)
  })
})

describe('an event that is too large', () => {
  const many = (count: number, make: (index: number) => unknown) =>
    Array.from({ length: count }, (_, index) => make(index))
  const inputFields = (count: number) => many(count, (index) => ({ ...table('s'), field: `c${index}` }))
  const named = (index: number) => ({ name: `n${index}`, namespace: 'n', type: 'TABLE' })

  for (const [what, limit, event, at] of [
    [
      'data',
      10_000,
      (count: number) =>
        runEvent({ inputs: many(1, () => table('t')), outputs: many(count - 1, (i) => table(`t${i}`)) }),
      '/outputs/9999'
    ],
    [
      'mappings',
      100_000,
      (count: number) => runEvent(columnLineage({ fields: { a: { inputFields: inputFields(count) } } })),
      '/outputs/0/facets/columnLineage/fields/a/inputFields/100000'
    ],
    [
      'columns',
      100_000,
      (count: number) => runEvent(outputs({ schema: facet({ fields: many(count, named) }) })),
      '/outputs/0/facets/schema/fields/100000'
    ],
    [
      'owners',
      100,
      (count: number) => runEvent(job({ ownership: facet({ owners: many(count, named) }) })),
      '/job/facets/ownership/owners/100'
    ],
    [
      'other names',
      100,
      (count: number) => runEvent(outputs({ symlinks: facet({ identifiers: many(count, named) }) })),
      '/outputs/0/facets/symlinks/identifiers/100'
    ],
    [
      'sources',
      9999,
      (count: number) =>
        runEvent(
          job({
            lineage: facet({
              entries: [
                { ...named(0), type: 'DATASET', inputs: many(count, (i) => ({ ...named(i), type: 'DATASET' })) }
              ]
            })
          })
        ),
      '/job/facets/lineage/entries/0/inputs/9999'
    ]
  ] as const) {
    it(`has more than ${limit} ${what}`, () => {
      sightingBy(event(limit))
      assert.ok(problemOf(event(limit + 1)).startsWith(`${at} is one too many: `))
    })
  }

  it('may have what we do not read as deep as it likes', () => {
    let deep: object = {}
    for (let depth = 0; depth < 200_000; depth++) deep = { fields: [deep] }
    const event = runEvent({
      ...run({ custom: deep }),
      ...outputs({ custom: deep, schema: facet({ fields: [{ name: 'a', fields: deep }] }) })
    })
    assert.deepEqual(sightingBy({ ...event, more: deep }).outputs, [
      { reference: 'dataset://db/t', columns: [{ name: 'a' }] }
    ])
  })

  it('has texts for people cut', () => {
    const { description } = sightingBy(
      runEvent(job({ documentation: facet({ description: 'd'.repeat(1_000_000) }) }))
    ).job
    assert.equal(description?.length, 5000)
  })
})

describe('any event', () => {
  /** One value of the event in the place of which another stands; the way there is chosen by numbers. */
  function spoilt(event: object, steps: readonly number[], value: unknown): unknown {
    const copy = structuredClone(event)
    let within = copy as Record<string, unknown>
    for (const step of steps) {
      const keys = Object.keys(within)
      const key = keys[step % keys.length]
      if (key === undefined) break
      const inner = within[key]
      if (typeof inner !== 'object' || inner === null || step === steps.at(-1)) {
        within[key] = value
        break
      }
      within = inner as Record<string, unknown>
    }
    return copy
  }

  function isReadOrRefused(event: unknown): void {
    const told = sightingsOf(event, NAMING)
    if (!('problem' in told)) return
    const { pointer, reason } = told.problem
    assert.match(reason, /^(is|must|has) /)
    // The way leads to what is there, but for its last step, which may be missing.
    let at: unknown = event
    const keys = pointer
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    for (const key of keys.slice(0, -1)) {
      assert.ok(typeof at === 'object' && at !== null && Object.hasOwn(at, key), pointer)
      at = (at as Record<string, unknown>)[key]
    }
  }

  it('is read or refused with a place in it, whatever it is', () => {
    fc.assert(fc.property(fc.jsonValue(), isReadOrRefused))
  })

  it('is read or refused with a place in it, whatever is wrong with it', () => {
    const events = simulate(7, 300)
    const event = fc.nat(events.length - 1).map((index) => events[index] as object)
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(undefined, null, 0, '', [], {}, [null], NaN, '__proto__')
    )
    const property = fc.property(
      event,
      fc.array(fc.nat(40), { minLength: 1, maxLength: 9 }),
      value,
      (one, steps, other) => isReadOrRefused(spoilt(one, steps, other))
    )
    fc.assert(property, { numRuns: 2000 })
  })
})
