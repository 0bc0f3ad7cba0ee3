// What Web Chat does to Markdown besides its engines, after its own source.

import { markdownLineEnding, markdownLineEndingOrSpace } from 'micromark-util-character';

const LEFT = '⟬';
const RIGHT = '⟭';

// 4.18.1, src/markdown/markdownItPlugins/ariaLabel.ts
export const ATTRIBUTES = { allowedAttributes: ['aria-label'], leftDelimiter: LEFT, rightDelimiter: RIGHT };

export const attributesMarked = text =>
  text
    .replace(/\{\s*aria-label()\s*\}/gi, `${LEFT}aria-label${RIGHT}`)
    .replace(/\{\s*aria-label=("[^"]*"|[^\s}]*)\s*\}/gi, (_, value) => `${LEFT}aria-label=${value}${RIGHT}`);

// 4.18.1, src/markdown/markdownItPlugins/respectCRLF.ts, which is on by default
export const lineEndsRespected = text => text.replace(/\n\r|\r\n/g, end => (end === '\n\r' ? '\r\n' : '\n\r'));

const [DOLLAR, OPEN_PAREN, CLOSE_PAREN, OPEN_BRACKET, BACKSLASH, CLOSE_BRACKET] = [36, 40, 41, 91, 92, 93];

// The main build, src/markdown/mathExtension/tokenizer.ts
const tokenizer = (trigger, isInline) =>
  function tokenize(effects, ok, nok) {
    const openers = trigger === DOLLAR ? [DOLLAR] : [OPEN_BRACKET, OPEN_PAREN];
    const closers = trigger === DOLLAR ? [DOLLAR] : [CLOSE_BRACKET, CLOSE_PAREN];
    const closing = { tokenize: close };
    let allowSpill;

    return openTrigger;

    function close(effects, ok, nok) {
      return code => {
        if (code !== trigger) return nok(code);
        effects.consume(code);
        return code => {
          if (!closers.includes(code)) return nok(code);
          effects.consume(code);
          return ok;
        };
      };
    }

    function openTrigger(code) {
      if (code !== trigger) return nok(code);
      effects.enter('math');
      effects.enter('mathFence');
      effects.consume(code);
      return openDelimiter;
    }

    function openDelimiter(code) {
      if (!openers.includes(code)) return nok(code);
      allowSpill = code !== OPEN_PAREN;
      effects.consume(code);
      effects.exit('mathFence');
      effects.enter('mathContent');
      effects.enter('mathChunk');
      // "Do not convert $$$$ into a formula"
      return trigger === DOLLAR ? effects.check(closing, nok, content) : content;
    }

    function content(code) {
      if (code === null) return nok(code);
      if (markdownLineEnding(code)) {
        if (isInline && !allowSpill) return nok(code);
        effects.consume(code);
        effects.exit('mathChunk');
        effects.enter('mathChunk');
        return content;
      }
      if (code === trigger) return effects.check(closing, closeTrigger, consumed)(code);
      if (code === BACKSLASH) {
        effects.consume(code);
        return escaped;
      }
      return consumed(code);
    }

    function consumed(code) {
      effects.consume(code);
      return content;
    }

    function escaped(code) {
      if (code !== DOLLAR && code !== BACKSLASH) return content(code);
      effects.consume(code);
      return content;
    }

    function closeTrigger(code) {
      if (code !== trigger) return nok(code);
      effects.exit('mathChunk');
      effects.exit('mathContent');
      effects.enter('mathFence');
      effects.consume(code);
      return closeDelimiter;
    }

    function closeDelimiter(code) {
      if (!closers.includes(code)) return nok(code);
      effects.consume(code);
      effects.exit('mathFence');
      effects.exit('math');
      return trigger === DOLLAR || isInline ? ok : blockEnding;
    }

    function blockEnding(code) {
      return markdownLineEndingOrSpace(code) || code === null ? ok(code) : nok(code);
    }
  };

// The main build, src/markdown/mathExtension/math.ts
const construct = (trigger, isInline) => ({ name: 'math', tokenize: tokenizer(trigger, isInline) });

export const math = {
  text: { [BACKSLASH]: construct(BACKSLASH, true), [DOLLAR]: construct(DOLLAR, true) },
  flow: { [BACKSLASH]: construct(BACKSLASH, false), [DOLLAR]: construct(DOLLAR, false) }
};

// What may begin a formula; without it there is none.
export const MATH = /\$\$|\\[[(]/;

export const mathFromMarkdown = {
  enter: {
    math(token) {
      this.enter({ type: 'math', value: '' }, token);
    }
  },
  exit: {
    mathContent(token) {
      this.stack[this.stack.length - 1].value = this.sliceSerialize(token);
    },
    math(token) {
      this.exit(token);
    }
  }
};
