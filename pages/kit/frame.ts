/** What the pages of the documentation use of the kit, with any contract. */
export { Fragment, render, type ComponentChildren, type VNode } from 'preact';
export { jsx, jsxs } from 'preact/jsx-runtime';
export { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
export * from './choice.tsx';
export * from './copy.tsx';
export * from './key.ts';
export * from './root.ts';
export * from './tabs.tsx';
