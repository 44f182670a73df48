/**
 * The words that `word-rules.mjs` rejects, as data: a regular expression (case is ignored, a space is any white space), what to
 * use instead, and why. Add a pattern if a reader stopped at it; keep it precise enough that nothing right is rejected.
 */
export const WORD_LIST = [
  { pattern: 'anew', instead: 'again, or re- (recompute, regenerate)', why: 'old-fashioned' },
  {
    pattern: '(tell|tells|told|telling)',
    instead: 'say, report, show, notify, distinguish (tell apart)',
    why: 'code and interfaces do not talk',
  },
  { pattern: '(hear|hears|heard|hearing)', instead: 'receive, be notified, read', why: 'code has no ears' },
  {
    pattern: '(stand|stands|stood|standing)(?! (wave|waves|one)\\b)',
    instead: 'is, are; represent (stand for); replace (stand in)',
    why: 'use the plain verb',
  },
  {
    pattern:
      '(lie|lies|lay|lain|lying)(?! (all |both |exactly |strictly |far |well |entirely |wholly )?(in|inside|outside|within|between|on|at|above|below|beneath|beyond|along|near|closer|half|midway|upstream|downstream)\\b)',
    instead: 'is, are',
    why: 'only a point or a number lies somewhere',
  },
  { pattern: '(go|goes|going|gone|went) on', instead: 'continue, resume', why: 'use the plain verb' },
  { pattern: '(let|lets|letting)( \\w+){0,2} go', instead: 'release, free, discard', why: 'use the plain verb' },
  {
    pattern: '(leave|leaves|left|leaving)( it| them| that)? out',
    instead: 'omit, skip, remove',
    why: 'the standard term',
  },
  { pattern: '(come|comes|came|coming) about', instead: 'happen, result from', why: 'use the plain verb' },
  { pattern: 'a person', instead: 'someone, a user, a reader', why: 'name the role' },
  {
    pattern: '(nothing|something|anything|says?|said|know|knows|known|kept|comes|came|becomes?) of it',
    instead: 'about it, or name the thing',
    why: 'the reader looks for what “it” is',
  },
  {
    pattern: 'where (there|none|nothing|left|it is left)',
    instead: 'if there is, if none, default',
    why: 'a condition is “if”',
  },
  { pattern: 'which there (is|are|was|were)', instead: 'name the thing that exists', why: 'not English' },
  { pattern: '(is|are) the affair of', instead: 'depends on, belongs to', why: 'not English' },
  {
    pattern: 'of (now|before)(?= (is|are|was|were|do|does|and|as)\\b|[.,;:\'’”")])',
    instead: 'current, previous',
    why: 'use the adjective',
  },
  {
    pattern: 'errors (that )?(go|goes|going) together',
    instead: 'correlated errors',
    why: 'the standard term',
  },
  { pattern: '(take|takes|taking|taken|took) hold', instead: 'take effect', why: 'use the plain verb' },
  {
    pattern: "(that|which|whom) (\\w+ ){1,4}(has|have) not(?=[,.;:'”)])",
    instead: 'does not have',
    why: 'old-fashioned',
  },
  {
    pattern: 'too (un)?sure( of (itself|themselves))?',
    instead: 'underdispersive, overdispersive',
    why: 'the standard term',
  },
  { pattern: 'as unsure as', instead: 'spread matches error', why: 'the standard term' },
  { pattern: 'ought to', instead: 'should', why: 'the shorter word' },
  { pattern: '(be|is|are) had', instead: 'is available, exists', why: 'use the plain verb' },
  {
    pattern: '(marked|shown|drawn|kept|given|listed|allowed|needed|wanted|counted|asked) (is|are) (?!the default\\b)',
    instead: 'subject first: “x is marked”; in messages “allowed: …”',
    why: 'inverted subject',
    // As a predicate after a subject it is right: “what is allowed is checked”.
    before: '(?<!\\b(is|are|was|were|be|been|not|have|has|that|as|it|ever) )',
  },
  {
    pattern: '/\\*\\* (Of|That (is|are|was|were|has|have|had)\\b) ?',
    instead: 'begin with what the thing is or does',
    why: 'a doc comment is a sentence',
    bare: true,
  },
];

/** Git path specifications of what is checked: the whole repository. */
export const CHECKED = ['.'];

/** Texts in which a listed word is right: the file, and the words around it. */
export const EXCEPTIONS = [];
