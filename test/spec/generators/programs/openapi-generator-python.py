import json
import sys

import openapi_client as social

base, key, liked = sys.argv[1:]
configuration = social.Configuration(host=base, api_key={"apiKeyHeader": key})
with social.ApiClient(configuration) as client:
    users, tweets = social.UsersApi(client), social.TweetsApi(client)
    page = users.get_user_last_tweets(username="counted", limit=1)
    second = users.get_user_last_tweets(username="counted", limit=1, cursor=page.next_cursor)
    try:
        tweets.get_tweet_replies(tweet_id="404")
        raise SystemExit("no error")
    except social.exceptions.NotFoundException as refused:
        error = json.loads(refused.body)["error"]
    unliked = tweets.unlike_tweet(social.UnlikeRequest(tweet_id=liked))
    print(
        json.dumps(
            {
                "views": [tweet.view_count for tweet in page.tweets + second.tweets],
                "more": [page.has_next_page, second.has_next_page],
                "error": error,
                "unliked": unliked.success,
            }
        )
    )
