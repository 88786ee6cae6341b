import { PlainParams } from '../../../http/params.ts'
import { type Route, read } from '../../../http/route.ts'
import { Type } from '../../../http/type.ts'
import { AnyQuery } from './query.ts'
import { Names } from './schema.ts'

/** The version of that API that is spoken here. */
const SPOKEN = { version: '7.6.0', commitId: 'Millrace' }
const SCOPE = { path: [], clusters: { 'kafka-cluster': 'millrace', 'schema-registry-cluster': 'millrace' } }

/** Most clients ask with a slash at the end, where a description of the API may have none. */
const Nothing = PlainParams({ nothing: Type.String({ maxLength: 0, description: 'Nothing: the slash is the end' }) })

const Version = Type.Object({ version: Type.String(), commitId: Type.String() })
const Cluster = Type.Object({
  id: Type.String(),
  scope: Type.Object({
    path: Type.Array(Type.String()),
    clusters: Type.Object({ 'kafka-cluster': Type.String(), 'schema-registry-cluster': Type.String() })
  })
})

/** What clients ask a server about itself. */
export function serverRoutes(): Route[] {
  const root = {
    summary: 'Tell clients of Confluent Schema Registry that somebody is there',
    permission: 'schemas:read',
    query: AnyQuery,
    answer: Type.Object({})
  } as const
  return [
    read({ ...root, path: '', operationId: 'registryRoot' }, () => ({})),
    read({ ...root, path: '/:nothing', operationId: 'registryRootBelow', params: Nothing }, () => ({})),
    read(
      {
        path: '/contexts',
        operationId: 'registryListContexts',
        summary: 'List the contexts, of which there is one',
        permission: 'schemas:read',
        query: AnyQuery,
        answer: Names
      },
      () => ['.']
    ),
    read(
      {
        path: '/v1/metadata/id',
        operationId: 'registryGetCluster',
        summary: 'Tell what the registry is called',
        permission: 'schemas:read',
        query: AnyQuery,
        answer: Cluster
      },
      () => ({ id: '', scope: SCOPE })
    ),
    read(
      {
        path: '/v1/metadata/version',
        operationId: 'registryGetServerVersion',
        summary: 'Tell which version of the API of Confluent Schema Registry is spoken',
        permission: 'schemas:read',
        query: AnyQuery,
        answer: Version
      },
      () => SPOKEN
    )
  ]
}
