import { describe, expect, it } from 'vitest';
import { escapeText, html, Markup } from '../../../app/report/markup.ts';

describe('markup', () => {
  it('has as text whatever is put into it, in elements and in attributes', () => {
    const hostile = `"><img src=x onerror='alert(1)'>&amp;`;
    expect(html`<p title="${hostile}">${hostile}</p>`.text).toBe(
      '<p title="&quot;&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt;&amp;amp;">&quot;&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt;&amp;amp;</p>',
    );
  });

  it('leaves markup as it is, joins lists, and has nothing of what is not there', () => {
    expect(html`<i>${['a', html`<b>b</b>`, undefined, false, 3]}</i>`.text).toBe('<i>a<b>b</b>3</i>');
    expect(html`${new Markup('<br>')}`.text).toBe('<br>');
  });

  it('shows no controls and no marks of direction', () => {
    expect(escapeText('a\u0000b\u202Ec\u2066d\nΔη²')).toBe('a\uFFFDb\uFFFDc\uFFFDd\nΔη²');
  });
});
