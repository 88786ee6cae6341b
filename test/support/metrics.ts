import type { TestApp } from './app.ts'

/** What Prometheus would read, by name and labels: `millrace_jobs{state="queued"}`. */
export async function readMetrics(test: Pick<TestApp, 'call'>): Promise<ReadonlyMap<string, number>> {
  const { text } = await test.call('GET', '/metrics', { as: 'viewer' })
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ')
      return [line.slice(0, space), Number(line.slice(space + 1))]
    })
  )
}
