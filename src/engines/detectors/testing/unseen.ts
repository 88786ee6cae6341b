import { pick, seeded } from '../../seeded-random.ts'
import type { LabelledColumn, Row } from './columns.ts'
import { ONCE_UNSEEN } from './once-unseen.ts'

/**
 * A second set, with names and ways of writing that the first has none of. The detectors are not to be fitted to it: where
 * it finds a mistake, the mistake goes into the first set, and another column comes here. All that was here has gone there,
 * and it says nothing more until others come.
 */
const ROWS: readonly Row[] = ONCE_UNSEEN

const VALUES = 60

export function unseenColumns(seed: number): LabelledColumn[] {
  const random = seeded(seed)
  return ROWS.flatMap(([kind, names, make]) =>
    names.map((name) => ({
      name,
      values: Array.from({ length: VALUES }, () =>
        random() < 0.04 ? pick(random, [null, '', 'n/a', '-']) : make(random)
      ),
      kinds: kind === 'nothing' ? [] : [kind],
      from: kind
    }))
  )
}
