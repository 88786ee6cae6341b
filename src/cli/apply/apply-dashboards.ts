import { isDeepStrictEqual } from 'node:util'
import type { Named } from './read-file.ts'
import { type Applied, call, listAll, type Server, send, tellSum } from './server.ts'

const placeOf = ({ folder, name }: Readonly<Record<string, unknown>>): string => `${folder ?? ''}/${name}`

/**
 * Makes and changes dashboards by their folders and names, one after the other; one that is refused holds up none of the
 * others.
 */
export async function applyDashboards(server: Server, dashboards: readonly Named[]): Promise<Applied> {
  const applied: Applied = { made: 0, changed: 0, same: 0, refused: 0 }
  const known = Map.groupBy(await listAll(server, '/api/dashboards', 'dashboards'), placeOf)
  const would = server.isDry ? 'would ' : ''
  for (const dashboard of dashboards) {
    const [before, ...others] = known.get(placeOf(dashboard)) ?? []
    if (others.length > 0) {
      applied.refused++
      server.say(
        `refused: ${dashboard.name}: ${others.length + 1} dashboards of the folder have this name; rename all but one`
      )
    } else if (before === undefined) {
      const isDone = server.isDry || (await send(server, 'POST', '/api/dashboards', dashboard))
      applied[isDone ? 'made' : 'refused']++
      if (isDone) server.say(`${would}make: ${dashboard.name}`)
    } else {
      const changes = await differing(server, dashboard, String(before.id))
      if (changes.length === 0) applied.same++
      else {
        const body = { name: dashboard.name, ...Object.fromEntries(changes.map((field) => [field, dashboard[field]])) }
        const isDone = server.isDry || (await send(server, 'PUT', `/api/dashboards/${before.id}`, body))
        applied[isDone ? 'changed' : 'refused']++
        if (isDone) server.say(`${would}change: ${dashboard.name}: ${changes.join(', ')}`)
      }
    }
  }
  if (server.isDry) server.say('dashboards were compared, but not checked: the server may still refuse some of them')
  tellSum(server, applied)
  return applied
}

/** The fields in which a dashboard differs from the file; rights are said once, when it is made. */
async function differing(server: Server, dashboard: Named, id: string): Promise<string[]> {
  const { body } = await call(server, 'GET', `/api/dashboards/${id}`)
  const fields = Object.keys(dashboard).filter((field) => field !== 'everyone' && field !== 'message')
  return fields.filter((field) => !isDeepStrictEqual(dashboard[field], body?.[field]))
}
