"""
The next tweets of a user as a table, also after the program was stopped: python listen.py mira_codes position.txt 10. Needs pandas.
"""

import sys
from pathlib import Path

import pandas as pd

from social_data import Client

username, position, count = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
cursor = position.read_text() if position.exists() else None
tweets = []
with Client().events(channel="user:tweets", username=username, cursor=cursor) as events:
    for event in events:
        if event["event"] == "tweet.created":
            tweets.append(event["data"])
        if len(tweets) == count:
            break
frame = pd.json_normalize(tweets)[["id", "created_at", "text", "like_count"]]
print(frame.to_string(index=False))
# After the table is stored: a stop before this line reads the same events again.
position.write_text(events.cursor)
