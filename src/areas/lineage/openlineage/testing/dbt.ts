import { between, pick, type Random } from '../../../../engines/seeded-random.ts'
import { Producer, type RawDataset, type RawEvent, type RawRun } from './raw-event.ts'

const NAMESPACE = 'dbt-shop'
const WAREHOUSE = 'snowflake://acme-eu1'
/** Each model reads some of those before it. */
const MODELS = [
  'stg_orders',
  'stg_customers',
  'int_order_lines',
  'fct_orders',
  'dim_customers',
  'mart_revenue'
] as const
const SOURCES = ['raw.orders', 'raw.customers', 'raw.order_lines'] as const
const COLUMNS = ['order_id', 'customer_id', 'amount', 'placed_at'] as const

/** A `dbt run`: the parent of one run for each model, and of one for each test. */
export function createDbt(seed: number): (random: Random, startMs: number, parent?: RawRun) => RawEvent[] {
  const producer = new Producer('dbt', seed)
  return (random, startMs, parent) => {
    const whole = producer.run(NAMESPACE, 'dbt-run-shop')
    const events = [producer.event('START', startMs, whole, { run: parent ? producer.parent(parent) : {} })]
    let timeMs = startMs
    const built: string[] = [...SOURCES]
    let isGood = true
    for (const model of MODELS) {
      timeMs += between(random, 10, 5000)
      const isBuilt = random() < 0.93
      events.push(...modelEvents(producer, random, whole, { model, built, isBuilt }, timeMs))
      if (isBuilt && random() < 0.4) events.push(...testEvents(producer, whole, model, timeMs + 4000))
      if (isBuilt) built.push(`analytics.${model}`)
      isGood &&= isBuilt
      timeMs += 5000
    }
    events.push(producer.event(isGood ? 'COMPLETE' : 'FAIL', timeMs + 1, whole))
    return events
  }
}

interface Building {
  readonly model: string
  readonly built: readonly string[]
  readonly isBuilt: boolean
}

function modelEvents(
  producer: Producer,
  random: Random,
  whole: RawRun,
  { model, built, isBuilt }: Building,
  startMs: number
): RawEvent[] {
  const run = producer.run(NAMESPACE, `shop.analytics.${model}.build.run`)
  const inputs = [...new Set([pick(random, built), pick(random, built)])].map((name) => table(producer, name))
  const fields = COLUMNS.map((column) => {
    const { namespace, name } = pick(random, inputs)
    const isOld = random() < 0.3
    const source = { namespace, name, field: column }
    return [
      column,
      isOld
        ? { inputFields: [source], transformationType: column === 'customer_id' ? 'MASKED' : 'IDENTITY' }
        : { inputFields: [{ ...source, transformations: [{ type: 'DIRECT', subtype: 'TRANSFORMATION' }] }] }
    ]
  })
  const columnLineage = producer.facet('ColumnLineageDatasetFacet', { fields: Object.fromEntries(fields) })
  const plain = table(producer, `analytics.${model}`)
  const outputs = [{ ...plain, facets: { ...plain.facets, ...(random() < 0.8 && { columnLineage }) } }]
  const query = `select * from ${inputs.map(({ name }) => name).join(' join ')}`
  const more = {
    run: { ...producer.parent(whole), dbt_version: producer.facet('DbtVersionRunFacet', { version: '1.9.1' }) },
    job: { sql: producer.facet('SQLJobFacet', { query, dialect: 'snowflake' }) },
    inputs,
    outputs
  }
  const endMs = startMs + between(random, 1, 3000)
  return [producer.event('START', startMs, run, more), producer.event(isBuilt ? 'COMPLETE' : 'FAIL', endMs, run, more)]
}

function testEvents(producer: Producer, whole: RawRun, model: string, startMs: number): RawEvent[] {
  const run = producer.run(NAMESPACE, `shop.analytics.${model}.test`)
  const assertions = [{ assertion: 'not_null', success: true, column: 'order_id' }]
  const dataQualityAssertions = producer.facet('DataQualityAssertionsDatasetFacet', { assertions })
  const tested = table(producer, `analytics.${model}`)
  const inputs = [{ ...tested, inputFacets: { dataQualityAssertions } }]
  const more = { run: producer.parent(whole), inputs, outputs: [] }
  return [producer.event('START', startMs, run, more), producer.event('COMPLETE', startMs + 100, run, more)]
}

function table(producer: Producer, name: string): RawDataset {
  const description = `The table ${name}`
  return {
    namespace: WAREHOUSE,
    name: `shop.${name}`,
    facets: {
      schema: producer.schema(COLUMNS),
      documentation: producer.facet('DocumentationDatasetFacet', { description })
    }
  }
}
