import { loadavg } from 'node:os'
import { measurePictures } from './dashboards/pictures.ts'
import { judge } from './support/lines.ts'

/** What pictures of panels and dashboards take. */
export async function run(): Promise<boolean> {
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`)
  return judge(await measurePictures())
}
