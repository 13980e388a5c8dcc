/** An answer of the assistant: paragraphs, citations as chips, and the token. */
import {
  full,
  linkText,
  piecesOf,
  root,
  searchHref,
  tweetHref,
  userHref,
  type AssistantAnswer,
  type Schemas,
  type VNode,
} from '../kit/index.ts';

/** The ids of the tweets to which `[1]`, `[2]` … in a text refer. */
type Cited = readonly string[];

/** A reference `[1]`, with the words before it that are quoted from the tweet. */
const reference = /((?:“[^”]*”\s*)?\[\d+\])/;

/** A text whose quotations and references `[1]`, `[2]` … link to the cited tweets. */
const Paragraph = ({ text, cited }: { text: string; cited: Cited }): VNode => (
  <p dir="auto">
    {text.split(reference).map((part, index) => {
      const id = index % 2 === 1 ? cited[Number(/\[(\d+)\]$/.exec(part)?.[1]) - 1] : undefined;
      return id === undefined ? (
        <Pieces key={index} text={part} />
      ) : (
        <a key={index} class="quotation" href={tweetHref(id)}>
          {part}
        </a>
      );
    })}
  </p>
);

const Pieces = ({ text }: { text: string }): VNode => (
  <>
    {piecesOf(text).map((piece, index) => {
      if (piece.is === 'plain') return piece.text;
      if (piece.is === 'link')
        return (
          <a key={index} href={piece.text} target="_blank" rel="noopener noreferrer nofollow">
            {linkText(piece.text)}
          </a>
        );
      return (
        <a key={index} href={piece.is === 'mention' ? userHref(piece.text) : searchHref(piece.text)}>
          {piece.text}
        </a>
      );
    })}
  </>
);

export const Paragraphs = ({ text, cited = [] }: { text: string; cited?: Cited | undefined }): VNode => (
  <>
    {text
      .split(/\n+/)
      .filter((part) => part.trim() !== '')
      .map((part, index) => (
        <Paragraph key={index} text={part} cited={cited} />
      ))}
  </>
);

/** The page of this service that a citation is about, or its web address; undefined for an address that no browser opens. */
function targetOf(url: string): { readonly href: string; readonly isOwn: boolean } | undefined {
  const id = /^https:\/\/(?:x|twitter)\.com\/\w+\/status\/(\d+)/.exec(url)?.[1];
  if (id !== undefined) return { href: tweetHref(id), isOwn: true };
  return /^https?:\/\//i.test(url) ? { href: url, isOwn: false } : undefined;
}

/** `number`: the place among the citations, where the text has no references of its own. */
function Chip({ citation, number }: { citation: Schemas['Citation']; number: number | undefined }): VNode {
  const target = targetOf(citation.url);
  const words = (
    <>
      {number !== undefined && <b>{number} </b>}
      {citation.title ?? citation.domain} <span class="hint">{linkText(citation.url, citation.domain)}</span>
    </>
  );
  if (target === undefined) return <span class="chip">{words}</span>;
  const outward = target.isOwn ? {} : { target: '_blank', rel: 'noopener noreferrer nofollow' };
  return (
    <a class="chip" href={target.href} title={citation.snippet ?? undefined} {...outward}>
      {words}
    </a>
  );
}

const dollars = (value: number): string => `$${full(Math.round(value))}`;

function TokenCard({
  extracted,
  token,
}: {
  extracted: Schemas['Extracted'];
  token: Schemas['Token'] | null | undefined;
}): VNode {
  const described = Object.entries(extracted).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  return (
    <div class="token panel">
      <h3>Token</h3>
      <p>{described.length === 0 ? 'The post names no token.' : described.join(' · ')}</p>
      {token === null && <p class="hint">It was not found on-chain.</p>}
      {token !== null && token !== undefined && (
        <dl class="token-facts">
          <dt>chain</dt>
          <dd>{token.chain}</dd>
          <dt>address</dt>
          <dd class="id">{token.address}</dd>
          <dt>liquidity</dt>
          <dd>{dollars(token.liquidity)}</dd>
          <dt>market cap</dt>
          <dd>{dollars(token.market_cap)}</dd>
        </dl>
      )}
    </div>
  );
}

/**
 * Whether the answer used a source. The pages that the tweet links to are among the sources of each answer, used or not: of them the
 * text must name the title or the address. `linked`: their addresses.
 */
function isUsed({ url, title, domain }: Schemas['Citation'], summary: string, linked: ReadonlySet<string>): boolean {
  if (!linked.has(url)) return true;
  const words = [title, domain, url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')];
  return words.some((each) => each !== null && each !== '' && summary.includes(each));
}

export function AnswerView({ answer, linked }: { answer: AssistantAnswer; linked: ReadonlySet<string> }): VNode {
  const { summary, cited_tweets, tickers = [], extracted, token, provider, model } = answer;
  const numbered = answer.citations.map((citation, index) => [citation, index + 1] as const);
  const sources = numbered.filter(
    ([citation, number]) =>
      isUsed(citation, summary, linked) || (cited_tweets === undefined && summary.includes(`[${number}]`)),
  );
  return (
    <>
      <Paragraphs text={summary} cited={cited_tweets} />
      {tickers.length > 0 && (
        <p class="chips">
          {tickers.map((ticker) => (
            <a key={ticker} class="chip" href={searchHref(ticker)}>
              {ticker}
            </a>
          ))}
        </p>
      )}
      {extracted !== undefined && <TokenCard extracted={extracted} token={token} />}
      {sources.length > 0 && (
        <p class="chips" aria-label="Sources" role="group">
          {sources.map(([citation, number]) => (
            <Chip key={citation.url} citation={citation} number={cited_tweets === undefined ? number : undefined} />
          ))}
        </p>
      )}
      <p class="hint">
        {provider === undefined ? model : `${provider}, ${model}`} · <a href={`${root}docs/`}>the same over REST</a>
      </p>
      {provider === 'local' && (
        <p class="hint">
          No language model wrote this. <a href={`${root}operate#model-servers`}>Use one on this machine</a>, as the
          operator of this service.
        </p>
      )}
    </>
  );
}
