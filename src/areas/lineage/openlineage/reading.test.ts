import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { designEvent, facet, runEvent, sightingBy, table, toldBy } from './testing/told.ts'

const NOON_MS = Date.UTC(2026, 10, 17, 4)

describe('an event about a run', () => {
  it('may be as the first versions have it, without schemaURL and facets', () => {
    const told = toldBy({
      eventType: 'START',
      eventTime: '2020-12-28T19:52:00.001+10:00',
      run: { runId: 'D46E465B-d358-4d32-83d4-df660ff614dd' },
      job: { namespace: 'workshop', name: 'process_taxes' },
      inputs: [{ namespace: 'postgres://workshop-db:None', name: 'workshop.public.taxes' }],
      producer: 'https://example.org/client'
    })
    assert.deepEqual(told, {
      sightings: [
        {
          job: { reference: 'job://workshop/process_taxes' },
          run: {
            id: 'd46e465b-d358-4d32-83d4-df660ff614dd',
            state: 'running',
            timeMs: Date.UTC(2020, 11, 28, 9, 52, 0, 1),
            isWhole: false
          },
          inputs: [{ reference: 'dataset://postgres%3A%2F%2Fworkshop-db%3ANone/workshop.public.taxes' }],
          outputs: [],
          columns: [],
          provenance: { how: 'openlineage', who: 'https://example.org/client' }
        }
      ],
      news: [],
      run: {},
      statement: undefined
    })
  })

  for (const [eventType, state] of [
    ['START', 'running'],
    ['RUNNING', 'running'],
    ['COMPLETE', 'completed'],
    ['ABORT', 'aborted'],
    ['FAIL', 'failed'],
    ['OTHER', 'other'],
    ['complete', 'completed'],
    [undefined, 'other'],
    [null, 'other']
  ] as const) {
    it(`is ${state} and ${state === 'completed' ? 'whole' : 'not whole'} with ${eventType}`, () => {
      const { run } = sightingBy(runEvent({ eventType }))
      assert.deepEqual([run.state, run.isWhole], [state, state === 'completed'])
    })
  }

  it('is whole before its end where a stream says that each event has all, and this one has any', () => {
    const jobType = facet({
      processingType: 'STREAMING',
      integration: 'FLINK',
      emissionPattern: { eventTrigger: 'PERIODIC', eventCompleteness: 'COMPLETE_SNAPSHOT', windowDuration: 300 }
    })
    const job = { namespace: 'flink', name: 'j', facets: { jobType } }
    const isWhole = (parts: object) => sightingBy(runEvent({ job, ...parts })).run.isWhole
    const inputs = [table('t')]
    assert.equal(isWhole({ eventType: 'RUNNING', inputs }), true)
    assert.equal(isWhole({ eventType: 'START' }), false)
    assert.equal(isWhole({ eventType: 'FAIL', inputs }), false)
    assert.equal(isWhole({ eventType: 'RUNNING', inputs, job: { namespace: 'flink', name: 'j' } }), false)
    const dropped = table('d', { lifecycleStateChange: facet({ lifecycleStateChange: 'DROP' }) })
    assert.deepEqual(toldBy(runEvent({ job, eventType: 'RUNNING', inputs, outputs: [dropped] })).news, [])
  })

  it('leaves it to us what jobs of ours are called', () => {
    const { job } = sightingBy(runEvent({ job: { namespace: 'millrace', name: 'pipeline/pl_1' } }))
    assert.deepEqual(job, { reference: 'job://pipeline/pl_1' })
  })

  it('tells who started the run, as `parent` or as `parentRun`', () => {
    const parent = facet({
      run: { runId: 'F99310B4-3C3C-1A1A-2B2B-C1B95C24FF11', facets: { processing_engine: facet({ name: 'Airflow' }) } },
      job: { namespace: 'airflow', name: 'my_dag.my_task', facets: {} },
      root: { run: { runId: 'a0000000-3c3c-1a1a-2b2b-c1b95c24ff11' }, job: { namespace: 'airflow', name: 'my_dag' } }
    })
    for (const facets of [{ parent }, { parentRun: parent }, { parent, parentRun: 'not read' }]) {
      const { run } = sightingBy(runEvent({ run: { runId: 'x', facets } }))
      assert.deepEqual(run.parent, { job: 'job://airflow/my_dag.my_task', run: 'f99310b4-3c3c-1a1a-2b2b-c1b95c24ff11' })
    }
  })

  it('tells of the run what people want to know', () => {
    const facets = {
      nominalTime: facet({ nominalStartTime: '2020-12-17T03:00:00.001Z', nominalEndTime: '2020-12-17T04:00:00.001Z' }),
      errorMessage: facet({ message: 'Table not found: t', programmingLanguage: 'JAVA', stackTrace: 'at x' }),
      processing_engine: facet({ version: '2.5.0', name: 'Airflow', openlineageAdapterVersion: '0.19.0' }),
      extractionError: facet({ totalTasks: 1, failedTasks: 1, errors: [{ errorMessage: 'x' }] }),
      'spark.logicalPlan': { plan: [{ class: 'x' }] }
    }
    const told = toldBy(runEvent({ run: { runId: 'x', facets } }))
    assert.equal(told.sightings[0]?.run.error, 'Table not found: t')
    assert.deepEqual(told.run, {
      engine: 'Airflow 2.5.0',
      nominalStartMs: Date.UTC(2020, 11, 17, 3, 0, 0, 1),
      nominalEndMs: Date.UTC(2020, 11, 17, 4, 0, 0, 1)
    })
  })

  it('tells of the job what it is about, who has it and what it runs', () => {
    const facets = {
      documentation: facet({ description: 'Process taxes.', contentType: 'text/markdown' }),
      ownership: facet({ owners: [{ name: 'team:tax', type: 'MAINTAINER' }, { name: 'ada' }, { name: 'ada' }] }),
      sql: facet({ query: 'select id, name from schema.table where id = 1', dialect: 'ansi' }),
      sourceCodeLocation: facet({ type: 'git', url: 'https://example.org/dag.py' }),
      jobType: facet({ processingType: 'BATCH', integration: 'AIRFLOW', jobType: 'TASK' }),
      tags: facet({ tags: [{ key: 'environment', value: 'production' }] })
    }
    const told = toldBy(runEvent({ job: { namespace: 'workshop', name: 'taxes', facets } }))
    assert.deepEqual(told.sightings[0]?.job, {
      reference: 'job://workshop/taxes',
      owners: ['team:tax', 'ada'],
      description: 'Process taxes.'
    })
    assert.deepEqual(told.statement, { query: 'select id, name from schema.table where id = 1', dialect: 'ansi' })
  })

  it('leaves out a statement that is too long rather than cutting it', () => {
    const told = (chars: number) =>
      toldBy(runEvent({ job: { namespace: 'n', name: 'j', facets: { sql: facet({ query: 'x'.repeat(chars) }) } } }))
    assert.equal(told(200_000).statement?.query.length, 200_000)
    assert.equal(told(200_001).statement, undefined)
  })

  it('tells of data what they have, and lets other facets be', () => {
    const facets = {
      schema: facet({
        fields: [
          { name: 'id', type: 'int', description: "Customer's identifier" },
          { name: 'phones', type: 'array', fields: [{ name: '_element', type: 'string' }] },
          { name: 'untyped' },
          { name: 'empty', type: null },
          { name: 'id', type: 'again' }
        ]
      }),
      documentation: facet({ description: 'canonical representation of entity Foo' }),
      ownership: facet({ owners: [{ name: 'maintainer_one', type: 'MAINTAINER' }] }),
      symlinks: facet({
        identifiers: [
          { namespace: 'arn:aws:glue:eu:1', name: 'table/db/orders', type: 'TABLE' },
          { namespace: 's3a://lake-raw', name: '/orders', type: 'LOCATION' }
        ]
      }),
      version: facet({ datasetVersion: '1' }),
      storage: facet({ storageLayer: 'iceberg', fileFormat: 'csv' }),
      datasetType: facet({ datasetType: 'VIEW', subType: 'MATERIALIZED' }),
      dataQualityMetrics: 'of a shape of its own'
    }
    const { inputs } = sightingBy(runEvent({ inputs: [{ namespace: 's3://lake-raw', name: 'orders', facets }] }))
    assert.deepEqual(inputs, [
      {
        reference: 'object://raw/orders',
        columns: [
          { name: 'id', type: 'int' },
          { name: 'phones', type: 'array' },
          { name: 'untyped' },
          { name: 'empty' }
        ],
        owners: ['maintainer_one'],
        description: 'canonical representation of entity Foo',
        aliases: ['dataset://arn%3Aaws%3Aglue%3Aeu%3A1/table/db/orders']
      }
    ])
  })

  it('has data that are named twice once, with all that is said of them', () => {
    const schema = facet({ fields: [{ name: 'a' }] })
    const documentation = facet({ description: 'd' })
    const inputs = [table('t'), table('t', { schema }), table('t', { documentation }), table('u')]
    assert.deepEqual(sightingBy(runEvent({ inputs })).inputs, [
      { reference: 'dataset://db/t', columns: [{ name: 'a' }], description: 'd' },
      { reference: 'dataset://db/u' }
    ])
  })

  it('tells where data lie, without what is secret in addresses', () => {
    const uri = 'jdbc:postgresql://me:hunter2@db.example.org:5432/shop?user=me&password=hunter2'
    const { news } = toldBy(runEvent({ inputs: [table('t', { dataSource: facet({ name: uri, uri }) })] }))
    const shown = 'jdbc:postgresql://db.example.org:5432/shop'
    assert.deepEqual(news, [
      { kind: 'data-source', timeMs: NOON_MS, reference: 'dataset://db/t', name: shown, uri: shown }
    ])
  })

  it('tells of a facet that was deleted that it is no longer so', () => {
    const gone = facet({ _deleted: true })
    const job = {
      namespace: 'n',
      name: 'j',
      facets: { ownership: gone, documentation: facet({ _deleted: false, description: 'd' }) }
    }
    const facets = { schema: gone, symlinks: gone, columnLineage: gone, lifecycleStateChange: gone, custom: gone }
    const told = toldBy(runEvent({ job, outputs: [table('t', facets)] }))
    assert.deepEqual(
      told.news.map((news) => news.kind === 'forgotten' && [news.reference, news.what]),
      [
        ['job://n/j', 'owners'],
        ['dataset://db/t', 'columns'],
        ['dataset://db/t', 'aliases']
      ]
    )
    assert.deepEqual(told.sightings[0]?.job, { reference: 'job://n/j', description: 'd' })
    assert.deepEqual(told.sightings[0]?.outputs, [{ reference: 'dataset://db/t' }])
  })
})

describe('data that change their names or are dropped', () => {
  const change = (lifecycleStateChange: string, previousIdentifier?: object) => ({
    lifecycleStateChange: facet({ lifecycleStateChange, previousIdentifier })
  })
  const previous = { namespace: 'db', name: 'example_table_1' }

  it('do so once the run has completed', () => {
    const outputs = [
      table('new', change('RENAME', previous)),
      table('old', change('DROP')),
      table('kept', change('OVERWRITE'))
    ]
    for (const eventType of ['START', 'RUNNING', 'FAIL', 'ABORT', 'OTHER']) {
      assert.deepEqual(toldBy(runEvent({ eventType, outputs })).news, [])
    }
    const told = toldBy(runEvent({ outputs }))
    assert.deepEqual(told.news, [
      { kind: 'data-renamed', timeMs: NOON_MS, from: 'dataset://db/example_table_1', to: 'dataset://db/new' },
      { kind: 'data-dropped', timeMs: NOON_MS, reference: 'dataset://db/old' }
    ])
    // What is dropped is not written.
    assert.deepEqual(
      told.sightings[0]?.outputs.map(({ reference }) => reference),
      ['dataset://db/new', 'dataset://db/kept']
    )
  })

  for (const facets of [change('CREATE'), change('ALTER'), change('TRUNCATE'), change('RENAME'), change('EXPLODE')]) {
    it(`do not with ${JSON.stringify(facets.lifecycleStateChange)}`.slice(0, 200), () => {
      assert.deepEqual(toldBy(runEvent({ outputs: [table('t', facets)] })).news, [])
    })
  }

  it('do so when an event about data says it', () => {
    const { news, sightings } = toldBy(designEvent({ dataset: table('new', change('rename', previous)) }))
    assert.deepEqual(sightings, [])
    assert.deepEqual(
      news.map(({ kind }) => kind),
      ['data-described', 'data-renamed']
    )
  })
})

describe('an event without a run', () => {
  it('describes data', () => {
    const schema = facet({ fields: [{ name: 'a', type: 'INT' }] })
    assert.deepEqual(toldBy(designEvent({ dataset: table('t', { schema }) })), {
      sightings: [],
      news: [
        {
          kind: 'data-described',
          timeMs: NOON_MS,
          data: { reference: 'dataset://db/t', columns: [{ name: 'a', type: 'INT' }] }
        }
      ],
      run: undefined,
      statement: undefined
    })
  })

  it('describes a job', () => {
    const job = {
      namespace: 'n',
      name: 'j',
      facets: { documentation: facet({ description: 'd' }), sql: facet({ query: 'q' }) }
    }
    const told = toldBy(designEvent({ job }))
    assert.deepEqual(told.sightings, [])
    assert.deepEqual(told.statement, { query: 'q' })
    const described = { reference: 'job://n/j', description: 'd' }
    assert.deepEqual(told.news, [{ kind: 'job-described', timeMs: NOON_MS, job: described }])
  })

  it('says all that a job reads and writes, if it says anything of that', () => {
    const { run, inputs, outputs } = sightingBy(
      designEvent({ job: { namespace: 'n', name: 'j' }, inputs: [table('a')], outputs: [table('b')] })
    )
    assert.deepEqual(run, { id: `design-${NOON_MS}`, state: 'other', timeMs: NOON_MS, isWhole: true })
    assert.deepEqual([inputs, outputs], [[{ reference: 'dataset://db/a' }], [{ reference: 'dataset://db/b' }]])
  })
})
