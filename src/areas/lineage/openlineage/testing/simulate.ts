import { between, seeded } from '../../../../engines/seeded-random.ts'
import { createAirflow } from './airflow.ts'
import { createDbt } from './dbt.ts'
import type { RawEvent } from './raw-event.ts'
import { createSpark } from './spark.ts'

const BEGIN_MS = Date.UTC(2026, 0, 5, 2)
const HOUR_MS = 3_600_000

/**
 * So many events of a shop's data platform, in the order of their times: DAGs of Airflow that start Spark applications and dbt, and
 * some that nobody started. Runs overlap, fail, are tried again, and change what they read and write. The same for the same seed.
 */
export function simulate(seed: number, size: number): RawEvent[] {
  const random = seeded(seed)
  const [airflow, spark, dbt] = [createAirflow(seed), createSpark(seed), createDbt(seed)]
  const events: RawEvent[] = []
  for (let timeMs = BEGIN_MS; events.length < size; timeMs += between(random, 1, HOUR_MS)) {
    const which = random()
    if (which < 0.5) {
      const started = random() < 0.5 ? spark : dbt
      events.push(...airflow(random, timeMs, (task, startMs) => started(random, startMs, task)))
    } else events.push(...(which < 0.8 ? spark : dbt)(random, timeMs))
  }
  return events.sort((a, b) => Date.parse(a.eventTime) - Date.parse(b.eventTime)).slice(0, size)
}
