import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { parseReference } from '../../../data/reference.ts'
import { type FieldError, Problem } from '../../../errors.ts'
import { faultsOf } from '../../../http/compilers.ts'
import { isYaml, readDocument } from '../../../http/documents/text.ts'
import { Intake, type Sent } from '../../../http/intake.ts'
import type { Context, Performed } from '../../../http/route.ts'
import type { Dashboard } from '../schema.ts'
import type { Dashboards } from '../service.ts'
import type { DataSourceMap, DataTarget } from './data-sources.ts'
import { fromGrafanaInSteps, type Imported } from './import.ts'
import { GrafanaImport, type GrafanaImported, type GrafanaPreview } from './schema.ts'

/** A dashboard of the largest size, and what is said about its data sources. */
const MAX_BYTES = 6 * 1024 * 1024

/** Makes dashboards from the files of Grafana. */
export class GrafanaImports {
  readonly #dashboards: Pick<Dashboards, 'draft'>
  readonly #intake = new Intake({
    maxBytes: MAX_BYTES,
    tooLarge: 'A dashboard of Grafana may have 5 MiB.',
    busy: 'overloaded'
  })

  constructor(dashboards: Pick<Dashboards, 'draft'>) {
    this.#dashboards = dashboards
  }

  /** What would come of it; nothing is kept. */
  async preview(sent: Sent): Promise<GrafanaPreview> {
    const { dataSources = {}, dashboard, folder = '' } = await this.#parse(sent)
    requireReferences(dataSources)
    const imported = await taken(fromGrafanaInSteps(dashboard, dataSources))
    if ('faults' in imported) {
      const errors = imported.faults.map(({ pointer, message }) => ({ pointer: `/dashboard${pointer}`, message }))
      throw new Problem('invalid_request', { errors })
    }
    return { dashboard: { ...imported.content, folder }, report: imported.report as GrafanaPreview['report'] }
  }

  async import(sent: Pick<Context<never, never, never>, 'actor' | 'raw'>): Promise<Performed<GrafanaImported>> {
    const { dashboard, report } = await this.preview(sent)
    const { outcome, insert } = this.#dashboards.draft(sent.actor, { ...dashboard, message: 'Taken over from Grafana' })
    return { ...outcome, answer: { dashboard: outcome.answer, report }, commit: insert }
  }

  /** Whether a body is the one that this dashboard was made from. */
  async isSame(sent: Sent, { dashboard: made }: GrafanaImported): Promise<boolean> {
    const { dashboard } = await this.preview(sent)
    return Object.entries(dashboard).every(([field, value]) => isDeepStrictEqual(value, made[field as keyof Dashboard]))
  }

  async #parse({ raw, actor }: Sent): Promise<GrafanaImport> {
    const yaml = isYaml(raw.headers['content-type'])
    const document = await this.#intake.take({ raw, actor }, async (body) =>
      readDocument(Buffer.from(body.buffer), yaml)
    )
    const errors = faultsOf(GrafanaImport, document)
    if (errors.length > 0) throw new Problem('invalid_request', { errors })
    return document as GrafanaImport
  }
}

/** Others have their turn after so long. */
const STEP_MS = 10

async function taken(steps: Generator<void, Imported>): Promise<Imported> {
  for (let sinceMs = performance.now(); ; ) {
    const { done, value } = steps.next()
    if (done) return value
    if (performance.now() - sinceMs < STEP_MS) continue
    await nextTurn()
    sinceMs = performance.now()
  }
}

/** Refuses what names no data, before a whole dashboard is made of it. */
function requireReferences(dataSources: DataSourceMap): void {
  const errors = Object.entries(dataSources).flatMap(([name, target]) => referenceFaults(target, pointerTo(name)))
  if (errors.length > 0) throw new Problem('invalid_request', { errors: errors.slice(0, 20) })
}

const pointerTo = (name: string): string => `/dataSources/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

function referenceFaults(target: DataTarget, at: string): FieldError[] {
  if ('sourceId' in target) return []
  const named = 'reference' in target ? { reference: target.reference } : target.references
  return Object.entries(named).flatMap(([name, text]) => {
    const parsed = parseReference(text)
    const place = 'reference' in target ? `${at}/reference` : `${at}/references/${name}`
    return 'problem' in parsed ? [{ pointer: place, message: parsed.problem }] : []
  })
}
