import { toIso } from '../../../engines/clock.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import type { FiredAlert } from '../../alerts/index.ts'
import { type Annotation, MAX_SHOWN } from './schema.ts'

/** What the area of alerts knows of those that fired. */
export interface AlertsAbout {
  firedAbout(
    db: Db,
    resourceIds: readonly string[],
    span: { readonly from: string; readonly to: string },
    limit: number
  ): Promise<FiredAlert[]>
}

/** The alerts of rules that read the same data, as annotations. */
export async function alertAnnotations(
  alerts: AlertsAbout,
  db: Db,
  resources: readonly string[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }
): Promise<Annotation[]> {
  const fired = await alerts.firedAbout(db, resources, { from: toIso(fromMs), to: toIso(toMs) }, MAX_SHOWN)
  return fired.map(({ id, ruleName, labels, severity, startedAt, resolvedAt }) => ({
    id,
    kind: 'alert',
    from: startedAt,
    to: resolvedAt,
    text: labels.tag === undefined ? ruleName : `${ruleName}: ${labels.tag}`,
    tags: [severity],
    everywhere: false,
    createdBy: null
  }))
}
