import { type Fault, type Fields, isObject, objectOf, objectsOf, textOf } from './reading.ts'
import type { Notes } from './report.ts'
import { classicFromV2, isV2 } from './v2.ts'

/**
 * The dashboard in whatever a file has around it: as `GET /api/dashboards/uid/…` of Grafana answers, as a resource with a
 * `spec`, in the form of version 2, or plain.
 */
export function dashboardIn(json: unknown, notes: Notes): { dashboard: Fields } | { faults: readonly Fault[] } {
  const { value, pointer } = unwrapped(json)
  if (!isObject(value)) return fault(pointer, 'must be a dashboard of Grafana, which is a JSON object')
  if (isV2(value)) return { dashboard: classicFromV2(value, notes) }
  const isDashboard = ['panels', 'rows', 'templating', 'schemaVersion'].some((name) => value[name] !== undefined)
  if (!isDashboard) {
    return fault(
      pointer,
      'must be a dashboard of Grafana: it has neither panels nor rows, and no elements with a layout'
    )
  }
  for (const name of ['panels', 'rows']) {
    const given = value[name]
    if (given !== undefined && given !== null && !Array.isArray(given))
      return fault(`${pointer}/${name}`, 'must be a list')
  }
  return { dashboard: value }
}

const fault = (pointer: string, message: string) => ({ faults: [{ pointer, message }] })

function unwrapped(json: unknown): { value: unknown; pointer: string } {
  const { dashboard, spec, kind, panels, rows } = objectOf(json)
  if (panels !== undefined || rows !== undefined) return { value: json, pointer: '' }
  if (isObject(dashboard)) return { value: dashboard, pointer: '/dashboard' }
  if (isObject(spec) && (kind === undefined || textOf(kind).startsWith('Dashboard')))
    return { value: spec, pointer: '/spec' }
  return { value: json, pointer: '' }
}

/** What else a dashboard has that has no place here. */
export function tellRest(dashboard: Fields, notes: Notes): void {
  const annotations = objectsOf(objectOf(dashboard.annotations).list).filter(
    ({ builtIn }) => builtIn !== 1 && builtIn !== true
  )
  if (annotations.length > 0) {
    const names = annotations.slice(0, 10).map(({ name }) => textOf(name) || 'one without a name')
    notes.add(`Annotations are left out: ${names.join(', ')}.`)
  }
  const weekStart = textOf(dashboard.weekStart)
  if (!['', 'browser', 'monday'].includes(weekStart)) notes.add(`Weeks begin on Monday here, not on ${weekStart}.`)
  if (isObject(dashboard.snapshot)) {
    notes.add('It is a snapshot: its panels read their data anew.')
  }
}
