import type { AreaNeeds } from '../../../area.ts'
import { recordChanges, tellChanges } from '../../../http/changes.ts'
import type { TargetLineage, TargetRun } from '../../../schedule-target.ts'

/** A run of a schedule without the scheduler. */
export interface FakeRun extends TargetRun {
  readonly lines: string[]
  /** What was noted last. */
  readonly noted: () => string | null
  /** What the lineage was told before anything was written. */
  readonly begun: TargetLineage[]
}

type Committing = Pick<AreaNeeds, 'metadata' | 'audit' | 'bus'>

/** Changes are committed, audited and told where there is something to commit them to. */
export function targetRun(given: Partial<TargetRun>, needs?: Committing): FakeRun {
  const lines: string[] = []
  const begun: TargetLineage[] = []
  let noted: string | null = given.link ?? null
  const owner = { id: 'usr_owner', name: 'owner' }
  return {
    config: {},
    runId: 'srn_1',
    scheduleId: 'sch_1',
    scheduleName: 'nightly',
    dueAt: '2026-03-02T04:00:00.000Z',
    previousDueAt: '2026-03-02T03:00:00.000Z',
    attempt: 1,
    link: null,
    owner,
    signal: new AbortController().signal,
    log: (line) => void lines.push(line),
    begin: async (lineage) => void begun.push(lineage),
    async change(work) {
      if (needs === undefined) throw new Error('This target was not meant to change anything')
      const { metadata, audit, bus } = needs
      let link = noted
      const outcome = await metadata.transaction(async (tx) => {
        const done = await work(tx, (text) => {
          link = text
        })
        await recordChanges(tx, audit, done.changes, {
          user: owner,
          apiKey: null,
          action: 'schedule.run',
          status: 200,
          ip: '',
          userAgent: null,
          requestId: 'req_1'
        })
        return done
      })
      noted = link
      tellChanges(bus, outcome.changes)
      return outcome.answer
    },
    lines,
    begun,
    noted: () => noted,
    ...given
  }
}
