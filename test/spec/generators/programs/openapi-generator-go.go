package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"example.org/generated/openapi"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	base, key, liked := os.Args[1], os.Args[2], os.Args[3]
	configuration := openapi.NewConfiguration()
	configuration.Servers = openapi.ServerConfigurations{{URL: base}}
	client := openapi.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), openapi.ContextAPIKeys, map[string]openapi.APIKey{"apiKeyHeader": {Key: key}})

	page, _, err := client.UsersAPI.GetUserLastTweets(ctx).Username("counted").Limit(1).Execute()
	check(err)
	second, _, err := client.UsersAPI.GetUserLastTweets(ctx).Username("counted").Limit(1).Cursor(page.GetNextCursor()).Execute()
	check(err)
	_, _, err = client.TweetsAPI.GetTweetReplies(ctx).TweetId("404").Execute()
	var refused *openapi.GenericOpenAPIError
	if !errors.As(err, &refused) {
		check(errors.New("no error"))
	}
	told, isError := refused.Model().(openapi.Error)
	if !isError {
		check(errors.New("the error is of another type"))
	}
	unliked, _, err := client.TweetsAPI.UnlikeTweet(ctx).UnlikeRequest(openapi.UnlikeRequest{TweetId: liked}).Execute()
	check(err)

	views := []int64{}
	for _, tweet := range append(page.Tweets, second.Tweets...) {
		views = append(views, tweet.ViewCount)
	}
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"views":   views,
		"more":    []bool{page.HasNextPage, second.HasNextPage},
		"error":   told.Error,
		"unliked": unliked.Success,
	}))
}
