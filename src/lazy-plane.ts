import type { AreaNeeds } from './area.ts'
import { DEFAULT_LIMITS } from './data/limits.ts'
import type { DataPlane } from './data/plane.ts'
import { planeDir } from './platform.ts'

/** SQL over everything that data references name. The data plane is made by the first query. */
export function lazyPlane(
  needs: Pick<AreaNeeds, 'config' | 'metadata' | 'series' | 'processName' | 'activity' | 'service'>
) {
  let opened: Promise<DataPlane> | undefined
  const plane = () => {
    opened ??= openPlane(needs)
    return opened
  }
  const query: DataPlane['query'] = async (asked) => (await plane()).query(asked)
  const describe: DataPlane['describe'] = async (...asked) => (await plane()).describe(...asked)
  const lineage: DataPlane['lineage'] = async (asked) => (await plane()).lineage(asked)
  const session: DataPlane['session'] = async (data) => (await plane()).session(data)
  return { query, session, describe, lineage, close: async () => (await opened)?.close() }
}

async function openPlane(needs: Parameters<typeof lazyPlane>[0]): Promise<DataPlane> {
  const { config, metadata, processName, service, series, activity } = needs
  const [{ DataPlane }, { ObjectResolver }, { SeriesResolver }, { StreamResolver }, { PipelineResolver }] =
    await Promise.all([
      import('./data/plane.ts'),
      import('./data/object-resolver.ts'),
      import('./data/series-resolver.ts'),
      import('./data/streams/resolver.ts'),
      import('./areas/pipelines/index.ts')
    ])
  const objects = new ObjectResolver(async (name) => (await service('buckets')).opener.find(name))
  const points = new SeriesResolver({ export: async (...asked) => (await series()).export(...asked) }, async (id) =>
    (await service('catalog')).sourceExists(id)
  )
  const outputs = new PipelineResolver({ metadata, objects, series: points })
  const { allowPrivateNetworks, allowedHosts } = config
  const streams = new StreamResolver({
    openStream: async (id, stream) => (await service('connectors')).toRead(id, stream),
    secretsWith: async (ticket) => (await service('connectors')).secrets.with(ticket),
    outbound: { allowPrivateNetworks, allowedHosts },
    maxBytes: DEFAULT_LIMITS.scratchBytes
  })
  const asked = () => activity.asked('sql')
  return new DataPlane({ resolvers: [objects, points, streams, outputs], folder: planeDir(config, processName), asked })
}
