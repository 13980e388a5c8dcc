import json
import sys

from social.api.tweets import get_tweet_replies, unlike_tweet
from social.api.users import get_user_last_tweets
from social.client import AuthenticatedClient
from social.models import Error, LastTweetsPage, UnlikeRequest, UnlikeResult

base, key, liked = sys.argv[1:]
client = AuthenticatedClient(base_url=base, token=key, prefix="", auth_header_name="x-api-key")

page = get_user_last_tweets.sync(client=client, username="counted", limit=1)
assert isinstance(page, LastTweetsPage) and isinstance(page.next_cursor, str)
second = get_user_last_tweets.sync(client=client, username="counted", limit=1, cursor=page.next_cursor)
assert isinstance(second, LastTweetsPage)
missing = get_tweet_replies.sync(client=client, tweet_id="404")
assert isinstance(missing, Error)
unliked = unlike_tweet.sync(client=client, body=UnlikeRequest(tweet_id=liked))
assert isinstance(unliked, UnlikeResult)
print(
    json.dumps(
        {
            "views": [tweet.view_count for tweet in page.tweets + second.tweets],
            "more": [page.has_next_page, second.has_next_page],
            "error": missing.error,
            "unliked": unliked.success,
        }
    )
)
