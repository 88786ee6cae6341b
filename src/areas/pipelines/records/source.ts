import type { Source, SourceContext } from '../contract/source.ts'
import { RecordBatches } from './batches.ts'
import type { JsonRecord } from './table.ts'

/** Records that are at hand, in batches. */
export const recordsSource =
  (batches: readonly (readonly JsonRecord[])[]) =>
  async (context: SourceContext<unknown>): Promise<Source> => {
    const made = new RecordBatches(context, toldIn(context.config))
    let next = (context.position as number | undefined) ?? 0
    return {
      async next() {
        while (batches[next]?.length === 0) next += 1
        const records = batches[next]
        if (records === undefined) return 'ended'
        const batch = await made.make(records, [], next + 1)
        next += 1 // not before: what failed is asked for again
        return batch
      },
      close: async () => {}
    }
  }

/** The types that the definition gives to the columns of the source that these records stand for. */
function toldIn(config: unknown): Readonly<Record<string, string>> | undefined {
  const { columns } = (config ?? {}) as { columns?: Readonly<Record<string, string>> }
  return Array.isArray(columns) ? undefined : columns
}
