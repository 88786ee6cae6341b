import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { PictureError } from '../errors.ts'
import { drawPanel } from '../panel.ts'
import { difference, pixelsOf } from '../testing/compare.ts'
import { EXAMPLES } from '../testing/examples.ts'
import { PictureMaker } from './picture-maker.ts'
import { rendered } from './render.ts'

const [example] = EXAMPLES
const svg = example === undefined ? '' : drawPanel(example.panel, example.size, 'light')
const saying = (word: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><text>${word}</text></svg>`
const withCode = (code: string) => (error: unknown) => error instanceof PictureError && error.code === code
const unwell = () => new PictureMaker({ program: new URL('../testing/unwell-worker.ts', import.meta.url), maxMs: 4000 })

describe('making PNGs', () => {
  const maker = new PictureMaker()
  after(() => maker.close())

  it('gives the picture in the size that was asked for', async () => {
    const [once, twice] = await Promise.all([maker.png(svg), maker.png(svg, 2)])
    const { width, height } = pixelsOf(twice)
    assert.deepEqual({ width, height }, { width: 1080, height: 500 })
    assert.equal(difference(pixelsOf(once), rendered(svg, 1)), 0)
  })

  it('fails for one picture that is not well-formed, and makes the next', async () => {
    const [broken, well] = await Promise.allSettled([maker.png(saying('<open>')), maker.png(svg)])
    assert.ok(broken.status === 'rejected' && withCode('failed')(broken.reason))
    assert.equal(well.status, 'fulfilled')
  })

  it('takes only what was drawn here, and nothing that is too large', async () => {
    const within = (content: string) => saying('x').replace('</svg>', `${content}</svg>`)
    for (const content of [
      '<image href="/etc/passwd"/>',
      '<use xlink:href="#x"/>',
      '<script>x</script>',
      '<style>@import "x"</style>',
      '<!-- x -->',
      '<rect href="x"/>'
    ]) {
      await assert.rejects(maker.png(within(content)), withCode('failed'), content)
    }
    await assert.rejects(maker.png('<html/>'), withCode('failed'))
    await assert.rejects(maker.png(saying('x').replace('width="10"', 'width="100000000"')), withCode('too_large'))
    await assert.rejects(maker.png(saying('x'.repeat(9_000_000))), withCode('too_large'))
    for (const scale of [0, -1, 5, Number.NaN]) await assert.rejects(maker.png(svg, scale), withCode('too_large'))
  })
})

describe('a thread that is unwell', () => {
  it('fails only the picture that it was at', async () => {
    const maker = unwell()
    for (const [word, code] of [
      ['end', 'failed'],
      ['throw', 'failed'],
      ['silent', 'too_slow']
    ] as const) {
      const [before, ill, next] = await Promise.allSettled([
        maker.png(saying('a')),
        maker.png(saying(word)),
        maker.png(saying('b'))
      ])
      assert.deepEqual([before.status, next.status], ['fulfilled', 'fulfilled'], word)
      assert.ok(ill.status === 'rejected' && withCode(code)(ill.reason), word)
    }
    await maker.close()
  })

  it('has at most 32 pictures wait for it, and none once it is closed', async () => {
    const maker = new PictureMaker()
    const all = Array.from({ length: 40 }, () => maker.png(saying('a')))
    const refused = (await Promise.allSettled(all.slice(33))).filter(
      (one) => one.status === 'rejected' && withCode('overloaded')(one.reason)
    )
    assert.equal(refused.length, 7)
    const closing = maker.close()
    const left = await Promise.allSettled(all.slice(0, 33))
    await closing
    assert.ok(left.some((one) => one.status === 'rejected' && withCode('closed')(one.reason)))
    await assert.rejects(maker.png(svg), withCode('closed'))
  })
})
