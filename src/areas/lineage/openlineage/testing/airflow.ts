import { between, pick, type Random } from '../../../../engines/seeded-random.ts'
import { Producer, type RawDataset, type RawEvent, type RawRun } from './raw-event.ts'

const NAMESPACE = 'airflow-prod'
const WAREHOUSE = 'postgres://warehouse.internal:5432'
const DAGS = ['orders_daily', 'customers_sync', 'billing_close', 'churn_features'] as const
const TASKS = ['extract', 'load_staging', 'merge', 'publish'] as const
const TABLES = ['orders', 'order_lines', 'customers', 'payments', 'refunds', 'visits'] as const

/** What other producers do within a run of a DAG: they are started by one of its tasks. */
export type Spawn = (task: RawRun, startMs: number) => RawEvent[]

/** Runs of DAGs: each is the parent of its tasks, which may fail and are then tried again as runs of their own. */
export function createAirflow(seed: number): (random: Random, startMs: number, spawn: Spawn) => RawEvent[] {
  const producer = new Producer('airflow', seed)
  return (random, startMs, spawn) => {
    const dag = producer.run(NAMESPACE, pick(random, DAGS))
    const nominal = producer.facet('NominalTimeRunFacet', {
      nominalStartTime: new Date(startMs - 3_600_000).toISOString()
    })
    const events = [producer.event('START', startMs, dag, { run: { nominalTime: nominal } })]
    let timeMs = startMs
    let isLost = false
    for (const name of TASKS) {
      const tries = between(random, 1, 3)
      for (let attempt = 1; attempt <= tries && !isLost; attempt++) {
        const isLast = attempt === tries
        const isGood = isLast && random() < 0.9
        const task = producer.run(NAMESPACE, `${dag.job.name}.${name}`)
        timeMs += between(random, 100, 60_000)
        events.push(...taskEvents(producer, random, dag, task, timeMs, isGood))
        if (name === 'load_staging' && isGood) events.push(...spawn(task, timeMs + 10))
        timeMs += 60_000
        isLost = isLast && !isGood
      }
    }
    events.push(producer.event(isLost ? 'FAIL' : 'COMPLETE', timeMs + 1, dag))
    return events
  }
}

function taskEvents(
  producer: Producer,
  random: Random,
  dag: RawRun,
  task: RawRun,
  startMs: number,
  isGood: boolean
): RawEvent[] {
  const table = (schema: string, name: string): RawDataset => ({
    namespace: WAREHOUSE,
    name: `shop.${schema}.${name}`,
    facets: { dataSource: producer.facet('DatasourceDatasetFacet', { name: WAREHOUSE, uri: WAREHOUSE }) }
  })
  // What a task reads and writes changes now and then, as its code does.
  const inputs = [
    table('public', pick(random, TABLES)),
    ...(random() < 0.3 ? [table('public', pick(random, TABLES))] : [])
  ]
  const outputs = [table('staging', pick(random, TABLES))]
  const dropped = { ...table('staging', 'scratch'), facets: { lifecycleStateChange: lifecycle(producer, 'DROP') } }
  const query = `INSERT INTO ${outputs[0]?.name} SELECT * FROM ${inputs[0]?.name}`
  const common = {
    run: producer.parent(dag),
    job: {
      sql: producer.facet('SQLJobFacet', { query, dialect: 'postgres' }),
      ownership: producer.facet('OwnershipJobFacet', { owners: [{ name: 'team:data', type: 'MAINTAINER' }] }),
      jobType: producer.facet('JobTypeJobFacet', { processingType: 'BATCH', integration: 'AIRFLOW', jobType: 'TASK' })
    }
  }
  const endMs = startMs + between(random, 1, 50_000)
  // Some operators know what they read when they begin, some when they end, some never.
  const start = random() < 0.5 ? { ...common, inputs } : common
  if (!isGood) {
    const errorMessage = producer.facet('ErrorMessageRunFacet', {
      message: 'Task exited with 1',
      programmingLanguage: 'python'
    })
    const failed = { ...common, run: { ...common.run, errorMessage } }
    return [producer.event('START', startMs, task, start), producer.event('FAIL', endMs, task, failed)]
  }
  const end = random() < 0.1 ? common : { ...common, inputs, outputs: random() < 0.2 ? [...outputs, dropped] : outputs }
  return [producer.event('START', startMs, task, start), producer.event('COMPLETE', endMs, task, end)]
}

function lifecycle(producer: Producer, lifecycleStateChange: string): object {
  return producer.facet('LifecycleStateChangeDatasetFacet', { lifecycleStateChange })
}
