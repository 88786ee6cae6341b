import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { element, label, picture, written } from './svg.ts'

describe('what SVG is written of', () => {
  it('has numbers that are numbers, and none far outside', () => {
    assert.equal(written(12.3456), '12.35')
    assert.equal(written(-0.001), '0')
    assert.equal(written(Number.NaN), '0')
    assert.equal(written(Number.POSITIVE_INFINITY), '100000')
    assert.equal(written(-1e300), '-100000')
  })

  it('escapes values of attributes and texts', () => {
    assert.equal(element('rect', { fill: '"><script>', x: undefined }), '<rect fill="&quot;&gt;&lt;script&gt;"/>')
    assert.equal(
      label(1, 2, `<&"'>`, { size: 10, color: '#000000' }),
      '<text x="1" y="2" font-size="10" fill="#000000">&lt;&amp;&quot;&#39;&gt;</text>'
    )
    assert.match(picture({ width: 10, height: 10 }, '</title><script>', ''), /<title>&lt;\/title&gt;&lt;script&gt;</)
  })
})
