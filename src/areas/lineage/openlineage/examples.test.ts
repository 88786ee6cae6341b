import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { designEvent, facet, runEvent, shortColumns, sightingBy, table, toldBy } from './testing/told.ts'

/** Facets that the standard has and we have no use for, with the shapes that it shows. */
const RUN_FACETS = {
  extractionError: facet({
    totalTasks: 2,
    failedTasks: 1,
    errors: [{ errorMessage: 'e', stackTrace: null, task: 't', taskNumber: 1 }]
  }),
  externalQuery: facet({ externalQueryId: 'my-project-1234:US.bquijob', source: 'bigquery' }),
  environmentVariables: facet({ environmentVariables: [{ name: 'JAVA_HOME', value: '/usr/lib/jvm' }] }),
  executionParameters: facet({ parameters: [{ key: 'retries', name: 'Retries', value: '3' }] }),
  jobDependencies: facet({
    upstream: [{ job: { namespace: 'pipeline.ingest', name: 'data-extract' } }],
    downstream: [{ job: { namespace: 'n', name: 'x' }, run: { runId: 'a2ac0b8b-459c-44d0-b7d2-db6109ef5768' } }],
    trigger_rule: 'NONE_FAILED_MIN_ONE_SUCCESS'
  }),
  test: facet({ tests: [{ name: 'assert_order_ids_unique', status: 'pass', severity: 'error', type: 'unique' }] }),
  tags: facet({ tags: [{ key: 'team', value: 'a', source: 'USER' }] }),
  agentAttribution: facet({ agentName: 'a', agentVersion: '1' }),
  openlineage_client: facet({ clientVersion: '1.38.0', clientType: 'python' })
}
const JOB_FACETS = {
  sourceCode: facet({ language: 'python', sourceCode: 'print("hello")' }),
  sourceCodeLocation: facet({
    type: 'git',
    url: 'https://example.org/r/dag.py',
    repoUrl: 'git@example.org:r.git',
    path: 'dag.py',
    version: 'abc'
  }),
  jobType: facet({ processingType: 'BATCH', integration: 'SPARK', jobType: 'QUERY' }),
  tags: facet({ tags: [{ key: 'pii' }] }),
  gcp_lineage: facet({ displayName: 'j', origin: { sourceType: 'COMPOSER', name: 'x' } })
}
const DATA_FACETS = {
  // One page of the standard shows a facet that has lost its name.
  _producer: 'https://example.org/producer/1.0',
  framework: 'iceberg',
  catalog: facet({
    framework: 'iceberg',
    type: 'polaris',
    name: 'my_iceberg_catalog',
    metadataUri: 'http://host:1234/db'
  }),
  dataQualityAssertions: facet({ assertions: [{ assertion: 'not_null', success: true, column: 'user_name' }] }),
  dataQualityMetrics: facet({
    rowCount: 1000,
    bytes: 1048576,
    columnMetrics: { column_one: { nullCount: 132, quantiles: { 0.1: 1 } } }
  }),
  databaseHierarchy: facet({
    hierarchy: [
      { type: 'DATABASE', name: 'my_db' },
      { type: 'TABLE', name: 'my_table' }
    ]
  }),
  datasetType: facet({ datasetType: 'JOB_OUTPUT', subType: 'TEMPORARY' }),
  storage: facet({ storageLayer: 'iceberg', fileFormat: 'csv' }),
  tags: facet({ tags: [{ key: 'pii', value: 'true', source: 'DBT', field: 'tax' }] }),
  version: facet({ datasetVersion: '1' })
}
const SUBSET = {
  subset: facet({
    inputCondition: {
      type: 'compare',
      left: { type: 'field', field: 'first_name' },
      right: { type: 'literal', value: 'John' },
      comparison: 'EQUAL'
    }
  }),
  dataQualityMetrics: facet({ rowCount: 1 }),
  inputStatistics: facet({ rowCount: 1, size: 2, fileCount: 3 })
}

describe('the facets of the standard that say nothing of lineage', () => {
  it('change nothing of what an event tells', () => {
    const job = { namespace: 'n', name: 'j' }
    const [input, output] = [table('a'), table('b')]
    const plain = toldBy(runEvent({ job, inputs: [input], outputs: [output] }))
    const { run } = runEvent() as { run: object }
    const full = toldBy(
      runEvent({
        run: { ...run, facets: RUN_FACETS },
        job: { ...job, facets: JOB_FACETS },
        inputs: [{ ...input, facets: DATA_FACETS, inputFacets: SUBSET }],
        outputs: [
          { ...output, facets: DATA_FACETS, outputFacets: { outputStatistics: facet({ rowCount: 10, size: 20 }) } }
        ]
      })
    )
    assert.deepEqual(full, plain)
  })
})

describe('the examples of the standard', () => {
  it('have an ETL job whose tasks hand over data in memory', () => {
    const parent = facet({ job: { namespace: 'etl', name: 'job' }, run: { runId: 'job-run' } })
    const task = (name: string, from: object, to: string, fields: object) =>
      sightingBy(
        runEvent({
          eventTime: '2025-10-24T15:08:00.001+10:00',
          schemaURL: undefined,
          run: { runId: '...', facets: { parent } },
          job: { namespace: 'etl', name: `job.${name}`, facets: { jobType: JOB_FACETS.jobType } },
          inputs: [from],
          outputs: [
            {
              namespace: 'inmemory://',
              name: to,
              facets: { datasetType: DATA_FACETS.datasetType, columnLineage: facet({ fields }) }
            }
          ]
        })
      )
    const source = { namespace: 'test://example1.com:443/myDir', name: 'Dataset1' }
    const identity = [{ type: 'DIRECT', subtype: 'IDENTITY', description: '', masking: false }]
    const load = task('Load task', source, 'Dataset3.Load task', {
      _0: { inputFields: [{ ...source, field: 'ColumnA', transformations: identity }] }
    })
    assert.equal(load.job.reference, 'job://etl/job.Load task')
    assert.deepEqual(load.run.parent, { job: 'job://etl/job', run: 'job-run' })
    assert.equal(load.outputs[0]?.reference, 'dataset://inmemory%3A%2F%2F/Dataset3.Load task')
    assert.deepEqual(shortColumns(load), ['Dataset1.ColumnA identity Dataset3.Load task._0'])
    const memory = { namespace: 'inmemory://', name: 'Dataset3.Load task' }
    const made = [{ type: 'DIRECT', subtype: 'TRANSFORMATION' }]
    const next = task('Transform task', memory, 'Dataset3.Transform task', {
      _0: { inputFields: [{ ...memory, field: '_0', transformations: made }] }
    })
    assert.deepEqual(
      next.inputs,
      load.outputs.map(({ reference }) => ({ reference }))
    )
  })

  it('have facets with old names of their schemas', () => {
    const parentRun = {
      _producer: 'https://example.org/tree/0.10.0/integration/airflow',
      _schemaURL: 'https://example.org/main/spec/OpenLineage.json#/definitions/ParentRunFacet',
      job: { name: 'etl_orders', namespace: 'cosmic_energy' },
      run: { runId: '1ba6fdaa-fb80-36ce-9c5b-295f544ec462' }
    }
    const nominalTime = { ...parentRun, nominalStartTime: '2022-07-29T14:14:31.458067Z' }
    const told = toldBy(
      runEvent({ run: { runId: 'r', facets: { airflow_runArgs: { externalTrigger: true }, nominalTime, parentRun } } })
    )
    assert.equal(told.sightings[0]?.run.parent?.job, 'job://cosmic_energy/etl_orders')
    assert.equal(told.run?.nominalStartMs, Date.UTC(2022, 6, 29, 14, 14, 31, 458))
  })

  it('have columns that come from a filter as well as from a value', () => {
    const customers = (field: string, transformations: object[]) => ({
      namespace: 'Snow',
      name: 'CUSTOMERS',
      field,
      transformations
    })
    const filter = [{ type: 'INDIRECT', subtype: 'FILTER', description: 'ON (DISCOUNTS.CUSTOMERS_ID=CUSTOMERS.ID)' }]
    const fields = {
      NAME: {
        inputFields: [
          customers('NAME', [{ type: 'DIRECT', masking: false }]),
          customers('ID', filter),
          { namespace: 'Snow', name: 'DISCOUNTS', field: 'CUSTOMERS_ID', transformations: filter }
        ],
        transformationDescription: 'SELECT NAME',
        transformationType: 'IDENTITY'
      }
    }
    const seen = sightingBy(runEvent({ outputs: [table('OUT', { columnLineage: facet({ fields }) })] }))
    assert.deepEqual(shortColumns(seen), [
      'CUSTOMERS.NAME identity OUT.NAME',
      'CUSTOMERS.ID filtered OUT.*',
      'DISCOUNTS.CUSTOMERS_ID filtered OUT.*'
    ])
  })

  it('have data with other names in a catalog', () => {
    const identifiers = [{ namespace: 'arn:aws:glue:eu-west-1:123', name: 'table/sales/orders', type: 'TABLE' }]
    const { news } = toldBy(
      designEvent({
        dataset: {
          ...table('warehouse/orders'),
          namespace: 's3://lake-curated',
          facets: { symlinks: facet({ identifiers }) }
        }
      })
    )
    assert.deepEqual(news, [
      {
        kind: 'data-described',
        timeMs: Date.UTC(2026, 10, 17, 4),
        data: {
          reference: 'object://curated/warehouse/orders',
          aliases: ['dataset://arn%3Aaws%3Aglue%3Aeu-west-1%3A123/table/sales/orders']
        }
      }
    ])
  })
})
