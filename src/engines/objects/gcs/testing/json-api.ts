import { randomUUID, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { rsaKeys } from '../../../../../test/support/rsa-keys.ts'
import { listen } from '../../../outbound/testing/servers.ts'
import { JsonApiObjects, Refusal, resourceOf } from './json-api-objects.ts'
import { isSignedLink } from './signed-link.ts'

const EMAIL = 'tester@some-project.iam.gserviceaccount.com'
const keys = rsaKeys('known')

export interface Seen {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  body: Buffer
}

/** Answers in place of this server, where a test wants it to. */
export type Instead = (seen: Seen) => { readonly status: number; readonly body: unknown } | undefined

/**
 * Stands in for Google's server, which no test can reach, where the emulator lacks something: made from the
 * documentation of the JSON API, with tokens, signed links, generations and conditions.
 */
export async function startJsonApi() {
  const objects = new JsonApiObjects()
  const seen: Seen[] = []
  const sessions = new Map<string, { bucket: string; name: string; contentType: string; match: string | null }>()
  const token = randomUUID()
  const control: { instead: Instead } = { instead: () => undefined }

  function upload(bucket: string, { query, body, headers }: Seen, response: ServerResponse): unknown {
    const name = query.get('name') ?? ''
    objects.check(bucket, name, query.get('ifGenerationMatch'))
    objects.bucket(bucket)
    if (query.get('uploadType') === 'resumable') {
      const session = randomUUID()
      const { contentType } = JSON.parse(body.toString())
      sessions.set(session, { bucket, name, contentType, match: query.get('ifGenerationMatch') })
      response.setHeader('location', `https://storage.example/upload/storage/v1/b/${bucket}/o?upload_id=${session}`)
      return {}
    }
    const boundary = Buffer.from(`--${/boundary=(.*)$/.exec(headers['content-type'] ?? '')?.[1]}`)
    const second = body.indexOf(boundary, boundary.length)
    const { contentType, metadata } = JSON.parse(partOf(body.subarray(0, second)).toString())
    const content = partOf(body.subarray(second, body.lastIndexOf(boundary)))
    return objects.write(bucket, name, { content, contentType, metadata })
  }

  function session({ method, query, body, headers }: Seen): unknown {
    const id = query.get('upload_id') ?? ''
    const open = sessions.get(id)
    if (open === undefined) throw new Refusal(404, 'No such session')
    sessions.delete(id)
    if (method === 'DELETE') throw new Refusal(499, 'Cancelled')
    if (headers['content-range'] !== 'bytes 0-*/*') throw new Refusal(400, 'Unexpected range')
    objects.check(open.bucket, open.name, open.match)
    return objects.write(open.bucket, open.name, { content: body, contentType: open.contentType })
  }

  function onBucket(request: Seen, bucket: string | undefined): unknown {
    if (bucket === undefined) {
      const { name } = JSON.parse(request.body.toString()) as { name: string }
      if (objects.buckets.has(name)) throw new Refusal(409, 'Your previous request to create it succeeded')
      objects.buckets.set(name, new Map())
      return { name }
    }
    if (objects.bucket(bucket).size > 0 && request.method === 'DELETE') throw new Refusal(409, 'Not empty')
    if (request.method === 'DELETE') objects.buckets.delete(bucket)
    return { name: bucket }
  }

  function onObject({ method, path, query, body, headers }: Seen, response: ServerResponse): unknown {
    const [bucket = '', , name = '', action, , toBucket = '', , toName = ''] = path
      .split('/')
      .slice(4)
      .map(decodeURIComponent)
    const match = query.get('ifGenerationMatch')
    if (action === 'compose') {
      objects.check(bucket, name, match)
      const { sourceObjects, destination } = JSON.parse(body.toString())
      return objects.compose(bucket, name, sourceObjects, destination.contentType)
    }
    const held = objects.object(bucket, name, query.get('generation'))
    if (action === 'rewriteTo') {
      // Large objects take several steps.
      if (held.content.length > 100_000 && !query.has('rewriteToken')) return { done: false, rewriteToken: 'step 2' }
      objects.check(toBucket, toName, match)
      return { done: true, resource: objects.write(toBucket, toName, held) }
    }
    if (method === 'DELETE') objects.bucket(bucket).delete(name)
    if (query.get('alt') !== 'media') return resourceOf(name, held)
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
    response.statusCode = start === undefined ? 200 : 206
    return held.content.subarray(Number(start ?? 0), end === undefined ? undefined : Number(end) + 1)
  }

  function answer(request: Seen, response: ServerResponse): unknown {
    const { method, path, query } = request
    if (path === '/token') return grant(request)
    const link = new URL(`http://127.0.0.1${path}?${query}`)
    if (query.has('X-Goog-Signature')) {
      if (!isSignedLink(method, link, keys.publicKey, Date.now())) throw new Refusal(403, 'SignatureDoesNotMatch')
      response.setHeader('content-disposition', query.get('response-content-disposition') ?? '')
      const [bucket = '', ...name] = path.slice(1).split('/').map(decodeURIComponent)
      return objects.object(bucket, name.join('/')).content
    }
    if (request.headers.authorization !== `Bearer ${token}`) throw new Refusal(401, 'Invalid Credentials')
    if (query.has('upload_id')) return session(request)
    const bucket = path.split('/b/')[1]?.split('/')[0]
    if (path.startsWith('/upload/')) return upload(bucket ?? '', request, response)
    if (!/\/o(\/|$)/.test(path)) return onBucket(request, bucket)
    return path.endsWith('/o') ? objects.list(bucket ?? '', query) : onObject(request, response)
  }

  function grant({ body }: Seen): unknown {
    const [head, claims = '', signature = ''] = new URLSearchParams(body.toString()).get('assertion')?.split('.') ?? []
    const { iss } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    const signed = Buffer.from(`${head}.${claims}`)
    if (iss !== EMAIL) throw new Refusal(400, 'invalid_grant: Invalid grant: account not found')
    if (!verify('sha256', signed, keys.publicKey, Buffer.from(signature, 'base64url'))) {
      throw new Refusal(400, 'invalid_grant: Invalid JWT Signature.')
    }
    return { access_token: token, expires_in: 3600, token_type: 'Bearer' }
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    const { method = '', headers } = request
    const record: Seen = { method, path: pathname, query: searchParams, headers, body: Buffer.alloc(0) }
    try {
      record.body = await buffer(request)
    } catch {
      return
    }
    seen.push(record)
    try {
      const other = control.instead(record)
      if (other !== undefined) response.statusCode = other.status
      const body = other?.body ?? answer(record, response)
      response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body))
    } catch (error) {
      const { status, message } = error instanceof Refusal ? error : { status: 500, message: String(error) }
      response.writeHead(status).end(JSON.stringify({ error: { code: status, message } }))
    }
  })
  const { port } = await listen(server, {})
  const pem = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const keyFile = {
    client_email: EMAIL,
    private_key: pem,
    project_id: 'p',
    token_uri: `http://127.0.0.1:${port}/token`
  }
  return {
    port,
    keyFile,
    objects,
    seen,
    control,
    async stop() {
      server.close()
      server.closeAllConnections()
    }
  }
}

export type JsonApi = Awaited<ReturnType<typeof startJsonApi>>

function partOf(part: Buffer): Buffer {
  return part.subarray(part.indexOf('\r\n\r\n') + 4, part.length - 2)
}
