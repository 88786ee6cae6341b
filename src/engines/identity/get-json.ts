export type Fetch = typeof globalThis.fetch

const MAX_ANSWER_BYTES = 1024 * 1024

/**
 * A JSON document of the identity provider, within bounds. Redirects are refused: the operator named an address to
 * trust, and no other. The errors name that address without what may be secret in it.
 */
export async function getJson(fetch: Fetch, url: URL, signal: AbortSignal): Promise<unknown> {
  try {
    const response = await fetch(url, { headers: { accept: 'application/json' }, redirect: 'manual', signal })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new Error(`it answered with status ${response.status}`)
    }
    return JSON.parse(await readBounded(response))
  } catch (error) {
    const address = `${url.origin}${url.pathname}`
    throw new Error(`No keys from the identity provider at ${address}: ${reason(error)}.`, { cause: error })
  }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > MAX_ANSWER_BYTES) throw new Error(`its answer is larger than ${MAX_ANSWER_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function reason(error: unknown): string {
  if (error instanceof SyntaxError) return 'its answer is not JSON'
  const { message, cause } = error as { message: string; cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? message
}
