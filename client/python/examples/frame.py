"""The tweets of a search as a table: python frame.py 'coffee lang:en'. Needs pandas."""

import sys

import pandas as pd

from social_data import Client

client = Client()  # reads SOCIAL_DATA_BASE_URL and SOCIAL_DATA_API_KEY
query = sys.argv[1] if len(sys.argv) > 1 else "coffee"
frame = pd.json_normalize(list(client.tweet.advanced_search(query=query, max_items=200)))
frame["created_at"] = pd.to_datetime(frame["created_at"])
print(frame.set_index("created_at")["like_count"].resample("D").sum())
