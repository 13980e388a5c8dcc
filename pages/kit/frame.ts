/**
 * What the pages share with any contract: Preact, the frame around each page, and small parts. It is `generated/pages/frame.js`, which
 * each page loads and which runs the frame. Pages that show data of the service import `index.ts`, which has all of it.
 */
import './shell.ts';

export { Fragment, render, type ComponentChildren, type VNode } from 'preact';
export { jsx, jsxs } from 'preact/jsx-runtime';
export { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
export * from './choice.tsx';
export * from './copy.tsx';
export * from './format.ts';
export * from './key.ts';
export * from './loading.tsx';
export * from './mount.tsx';
export * from './root.ts';
export * from './tabs.tsx';
