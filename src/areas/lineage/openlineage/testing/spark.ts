import { between, pick, type Random } from '../../../../engines/seeded-random.ts'
import { Producer, type RawDataset, type RawEvent, type RawRun } from './raw-event.ts'

const NAMESPACE = 'spark-emr'
const APPS = ['ingest_events', 'sessionize', 'daily_rollup'] as const
const COMMANDS = [
  'execute_insert_into_hadoop_fs_relation_command',
  'append_data',
  'create_hive_table_as_select_command'
] as const
const SOURCES = ['events/web', '/events/app', 'crm/customers', 'crm/consents'] as const
const TARGETS = ['sessions', 'rollups/daily', 'features/churn'] as const
const COLUMNS = ['id', 'customer_id', 'email', 'amount', 'created_at', 'country', 'constructor'] as const

/** An application: one run that tells what it does bit by bit, with columns, paths in S3 and the tables that lie there. */
export function createSpark(seed: number): (random: Random, startMs: number, parent?: RawRun) => RawEvent[] {
  const producer = new Producer('spark', seed)
  return (random, startMs, parent) => {
    const target = pick(random, TARGETS)
    const name = `${pick(random, APPS)}.${pick(random, COMMANDS)}.${target.replaceAll('/', '_')}`
    const run = producer.run(NAMESPACE, name)
    const engine = producer.facet('ProcessingEngineRunFacet', { version: '3.5.1', name: 'spark' })
    const facets = {
      ...(parent && producer.parent(parent)),
      processing_engine: engine,
      spark_properties: { properties: {} }
    }
    const inputs = [...new Set([pick(random, SOURCES), pick(random, SOURCES)])].map((key) =>
      source(producer, random, key)
    )
    const output = written(producer, random, target, inputs)
    const events = [producer.event('START', startMs, run, { run: facets, inputs: inputs.slice(0, 1) })]
    let timeMs = startMs
    const count = between(random, 1, 6)
    for (let i = 0; i < count; i++) {
      timeMs += between(random, 1, 30_000)
      const outputs = random() < 0.5 ? [output] : []
      events.push(
        producer.event('RUNNING', timeMs, run, { run: facets, inputs: random() < 0.5 ? inputs : [], outputs })
      )
    }
    const end = pick(random, ['COMPLETE', 'COMPLETE', 'COMPLETE', 'COMPLETE', 'FAIL', 'ABORT'] as const)
    const isAll = random() < 0.8
    events.push(
      producer.event(end, timeMs + 5, run, { run: facets, inputs: isAll ? inputs : [], outputs: isAll ? [output] : [] })
    )
    return events
  }
}

function source(producer: Producer, random: Random, key: string): RawDataset {
  return {
    namespace: random() < 0.2 ? 's3a://lake-raw' : 's3://lake-raw',
    name: key,
    facets: { schema: producer.schema(COLUMNS) }
  }
}

function written(producer: Producer, random: Random, target: string, inputs: readonly RawDataset[]): RawDataset {
  const table = { namespace: 'arn:aws:glue:eu-central-1:123456789012', name: `table/lake/${target}`, type: 'TABLE' }
  const columns = COLUMNS.filter(() => random() < 0.7)
  return {
    namespace: 's3://lake-curated',
    name: target,
    facets: {
      schema: producer.schema(columns),
      symlinks: producer.facet('SymlinksDatasetFacet', { identifiers: [table] }),
      lifecycleStateChange: producer.facet('LifecycleStateChangeDatasetFacet', { lifecycleStateChange: 'OVERWRITE' }),
      columnLineage: producer.facet('ColumnLineageDatasetFacet', lineage(random, columns, inputs))
    }
  }
}

/** In the newer form what decides about rows stands apart; in the older one it is said of every column. */
function lineage(random: Random, columns: readonly string[], inputs: readonly RawDataset[]): object {
  const from = (field: string, ...transformations: object[]) => {
    const { namespace, name } = pick(random, inputs)
    return { namespace, name, field, transformations }
  }
  const indirect = pick(random, ['FILTER', 'JOIN', 'GROUP_BY', 'SORT'])
  const rows = [from(pick(random, COLUMNS), { type: 'INDIRECT', subtype: indirect, description: '', masking: false })]
  const isOld = random() < 0.4
  const fields = columns.map((column) => [
    column,
    { inputFields: [...valuesOf(random, column, from), ...(isOld ? rows : [])] }
  ])
  return { fields: Object.fromEntries(fields), ...(isOld ? {} : { dataset: rows }) }
}

function valuesOf(random: Random, column: string, from: (field: string, ...how: object[]) => object): object[] {
  const direct = (subtype: string, masking = false) => ({ type: 'DIRECT', subtype, description: '', masking })
  if (column === 'email') return [from('email', direct('TRANSFORMATION', true))]
  if (column === 'amount')
    return [from('amount', direct('AGGREGATION')), from('country', { type: 'INDIRECT', subtype: 'WINDOW' })]
  if (column === 'country') return [from('country', direct('IDENTITY'), { type: 'INDIRECT', subtype: 'CONDITIONAL' })]
  return random() < 0.1 ? [from(column)] : [from(column, direct('IDENTITY'))]
}
