import { type Clock, toIso } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { invalidField, Problem } from '../../../errors.ts'
import { type Actor, can } from '../../../http/permissions.ts'
import type { Outcome } from '../../../http/route.ts'
import { orNotFound } from '../../../http/rows.ts'
import { parseTime, TIME_FORM } from '../../../http/times.ts'
import { readContent } from '../definition.ts'
import { resourcesOf } from '../model/data.ts'
import type { Content } from '../model/schema.ts'
import type { Dashboards } from '../service.ts'
import type { AlertsAbout } from './alerts.ts'
import { alertAnnotations } from './alerts.ts'
import type { AnnotationRow } from './migrations.ts'
import { type Annotation, type AnnotationCreate, type AnnotationQuery, MAX_SHOWN } from './schema.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly dashboards: Dashboards
  alerts(): Promise<AlertsAbout>
}

interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** What happened, for time axes: what people note, and the alerts of rules that read the same data. */
export class Annotations {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(actor: Actor, id: string, query: AnnotationQuery): Promise<{ annotations: Annotation[] }> {
    const { metadata, dashboards, clock } = this.#needs
    const { row } = await dashboards.find(metadata.db, actor, id)
    const content = readContent(row)
    const nowMs = clock.now()
    const span = {
      fromMs: msOf(query.from ?? content.timeRange.from, nowMs, '/from'),
      toMs: msOf(query.to ?? content.timeRange.to, nowMs, '/to')
    }
    return { annotations: await this.within(actor, id, content, span) }
  }

  /** Those of a time, in order of it. */
  async within(actor: Actor, id: string, content: Content, span: Span): Promise<Annotation[]> {
    const { metadata } = this.#needs
    const rows = await metadata.db
      .selectFrom('dashboard_annotations')
      .selectAll()
      .where((eb) => eb.or([eb('dashboard_id', '=', id), eb('dashboard_id', 'is', null)]))
      .where('from_ms', '<', span.toMs)
      .where((eb) => eb.or([eb('from_ms', '>=', span.fromMs), eb('to_ms', '>=', span.fromMs)]))
      .orderBy('from_ms', 'desc')
      .limit(MAX_SHOWN)
      .execute()
    const found = rows.map(toAnnotation)
    const resources = resourcesOf(content).map((resource) => resource.id)
    if (can(actor, 'alerts:read') && resources.length > 0) {
      found.push(...(await alertAnnotations(await this.#needs.alerts(), metadata.db, resources, span)))
    }
    return found.toSorted((a, b) => (a.from < b.from ? -1 : 1))
  }

  async create(tx: Db, actor: Actor, id: string, body: AnnotationCreate): Promise<Outcome<Annotation>> {
    const { clock, makeId, dashboards } = this.#needs
    await dashboards.requireEdit(tx, actor, id)
    const nowMs = clock.now()
    const fromMs = msOf(body.from ?? 'now', nowMs, '/from')
    const toMs = body.to === undefined ? null : msOf(body.to, nowMs, '/to')
    if (toMs !== null && toMs < fromMs) throw invalidField('/to', 'must not be before from')
    const row: AnnotationRow = {
      id: makeId('ann'),
      dashboard_id: body.everywhere === true ? null : id,
      kind: body.kind ?? 'note',
      from_ms: fromMs,
      to_ms: toMs,
      text: body.text,
      tags: JSON.stringify(body.tags ?? []),
      created_by: actor.id,
      created_at: clock.iso()
    }
    await tx.insertInto('dashboard_annotations').values(row).execute()
    const after = toAnnotation(row)
    return { answer: after, changes: [{ type: 'dashboard-annotation', id: row.id, after }] }
  }

  /** Those of all dashboards are taken away by whoever made them and by administrators. */
  async delete(tx: Db, actor: Actor, id: string, annotationId: string): Promise<Outcome<null>> {
    await this.#needs.dashboards.requireEdit(tx, actor, id)
    const row = await orNotFound(
      tx
        .selectFrom('dashboard_annotations')
        .selectAll()
        .where('id', '=', annotationId)
        .where((eb) => eb.or([eb('dashboard_id', '=', id), eb('dashboard_id', 'is', null)]))
        .executeTakeFirst()
    )
    if (row.dashboard_id === null && row.created_by !== actor.id && actor.role !== 'admin') {
      throw new Problem('permission_denied', {
        detail: 'It stands on all dashboards: whoever made it can delete it, or an administrator.'
      })
    }
    await tx.deleteFrom('dashboard_annotations').where('id', '=', annotationId).execute()
    return { answer: null, changes: [{ type: 'dashboard-annotation', id: annotationId, before: toAnnotation(row) }] }
  }
}

function msOf(text: string, nowMs: number, pointer: string): number {
  const ns = parseTime(text, nowMs)
  if (ns === undefined) throw invalidField(pointer, `must be ${TIME_FORM}`)
  return Number(ns / 1_000_000n)
}

const toAnnotation = (row: AnnotationRow): Annotation => ({
  id: row.id,
  kind: row.kind,
  from: toIso(row.from_ms),
  to: row.to_ms === null ? null : toIso(row.to_ms),
  text: row.text,
  tags: JSON.parse(row.tags),
  everywhere: row.dashboard_id === null,
  createdBy: row.created_by
})
