import { MASK_TEXT } from '../../../data/mask.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { type Finding, type Installation, ok, warn } from '../../../finding.ts'
import { metricText } from '../../../http/metric-text.ts'
import type { Guard } from '../clearance/guard.ts'
import { QuotedData } from '../clearance/quoted-data.ts'
import type { Uploads } from './uploads.ts'

const STATUSES = ['open', 'accepted', 'rejected'] as const
const MAX_NAMED = 5

/** How many suggestions there are of each status, and data that could not be read when they were last looked at. */
async function conditionOf(db: Db) {
  const rows = await db
    .selectFrom('classification_suggestions')
    .select((eb) => ['status', eb.fn.countAll<number>().as('suggestions')])
    .groupBy('status')
    .execute()
  const { failed } = await db
    .selectFrom('classification_scans')
    .select((eb) => eb.fn.countAll<number>().as('failed'))
    .where('error_code', 'is not', null)
    .executeTakeFirstOrThrow()
  const counts = new Map(rows.map(({ status, suggestions }) => [status, Number(suggestions)]))
  return { counts, failed: Number(failed) }
}

export async function renderClassificationMetrics(
  { metadata }: { readonly metadata: Metadata },
  loaded: { readonly uploads: Pick<Uploads, 'leftOut'>; readonly guard: Pick<Guard, 'counts'> } | undefined
): Promise<string> {
  const { counts, failed } = await conditionOf(metadata.db)
  return [
    metricText(
      'millrace_classification_suggestions',
      'gauge',
      'Suggestions of classification by status',
      STATUSES.map((status) => ({ labels: { status }, value: counts.get(status) ?? 0 }))
    ),
    metricText('millrace_classification_scans_failed', 'gauge', 'Data that could not be read when last looked at', [
      { value: failed }
    ]),
    metricText(
      'millrace_classification_uploads_left_out_total',
      'counter',
      'Uploads that were not looked at because too many waited',
      [{ value: loaded?.uploads.leftOut ?? 0 }]
    ),
    metricText(
      'millrace_classification_reads_total',
      'counter',
      'Reads of data above the clearance of the caller, by what became of them',
      (['refused', 'masked'] as const).map((outcome) => ({
        labels: { outcome },
        value: loaded?.guard.counts[outcome] ?? 0
      }))
    )
  ].join('')
}

/** What the doctor says of suggestions. */
export async function checkSuggestions({ metadata, clock }: Installation): Promise<Finding[]> {
  if (metadata === undefined || !(await areThere(metadata.db))) return []
  const { counts, failed } = await conditionOf(metadata.db)
  const decided = (counts.get('accepted') ?? 0) + (counts.get('rejected') ?? 0)
  const open = counts.get('open') ?? 0
  const findings: Finding[] = []
  if (open + decided > 0) findings.push(ok('classification', `${open} suggestions are open, ${decided} are decided`))
  if (failed > 0) {
    const rows = await metadata.db
      .selectFrom('classification_scans')
      .select(['resource', 'error_message'])
      .where('error_code', 'is not', null)
      .orderBy('updated_at', 'desc')
      .limit(MAX_NAMED)
      .execute()
    const quoted = new QuotedData({ db: metadata.db, clock })
    const named: string[] = []
    for (const { resource, error_message } of rows) {
      const isHidden = await quoted.isHidden([resource])
      named.push(`${resource} (${isHidden ? MASK_TEXT : error_message})`)
    }
    const all = named.join('; ')
    findings.push(warn('classification', `${failed} data could not be looked at for sensitive values: ${all}`))
  }
  return findings
}

/** In a database that is empty, or of an older version, they may not be. */
async function areThere(db: Db): Promise<boolean> {
  const names = new Set((await db.introspection.getTables()).map(({ name }) => name))
  return ['classification_suggestions', 'classification_scans'].every((name) => names.has(name))
}
