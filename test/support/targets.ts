import type { Area, AreaNeeds } from '../../src/area.ts'
import { AREAS } from '../../src/areas.ts'
import { startTestApp, type TestApp, type TestAppOptions } from './app.ts'

/** A whole platform, with what the bodies of its areas are made from. */
export async function startTargetApp(
  options: TestAppOptions & Pick<Area, 'findUsers'> = {}
): Promise<{ test: TestApp; needs: AreaNeeds }> {
  const { findUsers, ...rest } = options
  let needs: AreaNeeds | undefined
  const looker: Area = {
    name: 'looker',
    about: 'Looks at what areas are given.',
    paths: [],
    ...(findUsers && { findUsers }),
    startsEarly: async () => true,
    load: async () => (given) => {
      needs = given
      return { routes: [] }
    }
  }
  const test = await startTestApp({ ...rest, areas: [...AREAS, looker] })
  return { test, needs: needs as AreaNeeds }
}
