package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"example.org/generated/social"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	base, key, liked := os.Args[1], os.Args[2], os.Args[3]
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("x-api-key", key)
		return nil
	}
	client, err := social.NewClientWithResponses(base, social.WithRequestEditorFn(withKey))
	check(err)
	ctx := context.Background()
	username, limit := "counted", int32(1)

	page, err := client.GetUserLastTweetsWithResponse(ctx, &social.GetUserLastTweetsParams{Username: &username, Limit: &limit})
	check(err)
	second, err := client.GetUserLastTweetsWithResponse(ctx, &social.GetUserLastTweetsParams{Username: &username, Limit: &limit, Cursor: page.JSON200.NextCursor})
	check(err)
	missing, err := client.GetTweetRepliesWithResponse(ctx, &social.GetTweetRepliesParams{TweetId: "404"})
	check(err)
	unliked, err := client.UnlikeTweetWithResponse(ctx, social.UnlikeRequest{TweetId: liked})
	check(err)

	views := []int64{}
	for _, tweet := range append(page.JSON200.Tweets, second.JSON200.Tweets...) {
		views = append(views, tweet.ViewCount)
	}
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"views":   views,
		"more":    []bool{page.JSON200.HasNextPage, second.JSON200.HasNextPage},
		"error":   missing.JSON404.Error,
		"unliked": unliked.JSON200.Success,
	}))
}
